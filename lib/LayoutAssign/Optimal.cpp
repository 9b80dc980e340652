//===- Optimal.cpp - The cheapest answer to a layout problem --------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "inlay/LayoutAssign/Optimal.h"
#include "BranchAndBound.h"
#include "Components.h"
#include "Elimination.h"
#include "EliminationPlan.h"
#include "LocalSearch.h"
#include "MinimumCut.h"
#include "Presolve.h"
#include "llvm/ADT/STLExtras.h"

namespace inlay {
namespace {

/// Tables over three variables of a term are small; beyond that the users of a
/// term are kept apart.
constexpr unsigned maxScopeOfTable = 3;

/// Solves one component and notes in the certificate how.
class ComponentSolver {
public:
  ComponentSolver(const CostTerms &terms, const SolverOptions &options,
                  Certificate &certificate)
      : terms(terms), options(options), certificate(certificate),
        numVars(terms.getNumVariables()),
        needsSplit(hasLargeTerms(terms, maxScopeOfTable)),
        splitTerms(needsSplit ? splitLargeTerms(terms, maxScopeOfTable)
                              : CostTerms()),
        split(needsSplit ? splitTerms : terms) {}

  /// Returns the states and a lower bound; `starts` are assignments known.
  SearchResult solve(std::vector<std::vector<StateId>> starts);

private:
  bool isWithinLimits(const EliminationPlan &plan) const;
  bool isCheap(const EliminationPlan &plan) const;
  SearchResult solveExactly(std::vector<StateId> states);
  SearchResult search(std::vector<std::vector<StateId>> starts);
  void completeCopies(std::vector<StateId> &states) const;

  const CostTerms &terms;
  const SolverOptions &options;
  Certificate &certificate;
  unsigned numVars;
  /// The terms with large ones split; no copy where there are none.
  bool needsSplit;
  CostTerms splitTerms;
  const CostTerms &split;
};

bool ComponentSolver::isWithinLimits(const EliminationPlan &plan) const {
  // Many small tables are no harm.
  constexpr uint64_t entriesPerVariable = 256;
  constexpr uint64_t stepsPerEntry = 16;
  return plan.kept.empty() &&
         plan.numEntries <=
             options.maxTotalEntries + entriesPerVariable * numVars &&
         plan.numSteps <= stepsPerEntry * (options.maxTotalEntries +
                                           entriesPerVariable * numVars);
}

/// Whether to eliminate is no more work than to look for a minimum cut.
bool ComponentSolver::isCheap(const EliminationPlan &plan) const {
  constexpr uint64_t entriesPerVariable = 64;
  constexpr uint64_t fewEntries = 1u << 18;
  return plan.numEntries <= fewEntries + entriesPerVariable * numVars;
}

SearchResult ComponentSolver::solveExactly(std::vector<StateId> states) {
  // Without the states of variables for copies.
  states.resize(numVars);
  Weight cost = terms.evaluate(states);
  return {std::move(states), cost, cost};
}

SearchResult ComponentSolver::solve(std::vector<std::vector<StateId>> starts) {
  EliminationPlan plan;
  bool canEliminate = false;
  if (options.elimination) {
    plan = planElimination(split, options.maxTableEntries);
    canEliminate = isWithinLimits(plan);
  }
  if (options.minimumCut && !(canEliminate && isCheap(plan))) {
    CostTerms pairs = splitLargeTerms(terms, 2);
    if (std::optional<std::vector<StateId>> states = solveMinimumCut(pairs)) {
      ++certificate.numMinimumCut;
      return solveExactly(std::move(*states));
    }
  }
  if (canEliminate) {
    ++certificate.numElimination;
    certificate.largestTreewidth =
        std::max(certificate.largestTreewidth, plan.width);
    return solveExactly(eliminate(split, plan.order));
  }
  SearchResult result = search(std::move(starts));
  ++(result.cost == result.bound ? certificate.numBranchAndBound
                                 : certificate.numLocalSearch);
  return result;
}

/// Gives the variables that stand for copies the states that cost least.
void ComponentSolver::completeCopies(std::vector<StateId> &states) const {
  states.resize(split.getNumVariables());
  improveOneByOne(split, states, /*maxPasses=*/1);
}

/// Improves the assignments known, then tries to prove the best of them.
SearchResult ComponentSolver::search(std::vector<std::vector<StateId>> starts) {
  // All tables together stay within what an elimination may use; those of the
  // bound, which are all kept, within a quarter. Many rounds of local search
  // are worth more than large tables.
  constexpr uint64_t maxEntriesOfRound = 1u << 14;
  auto getMaxEntries = [&](uint64_t total, uint64_t most) {
    return std::clamp<uint64_t>(total / split.getNumVariables(), 16,
                                std::max<uint64_t>(most, 16));
  };
  starts.emplace_back(numVars);
  std::vector<StateId> best;
  Weight bestCost = 0;
  for (std::vector<StateId> &states : starts) {
    improveOneByOne(terms, states);
    Weight cost = terms.evaluate(states);
    if (!best.empty() && cost >= bestCost)
      continue;
    best = states;
    bestCost = cost;
  }
  completeCopies(best);
  improveByElimination(
      split, best,
      {getMaxEntries(options.maxTotalEntries,
                     std::min(options.maxBoundEntries, maxEntriesOfRound)),
       16 * options.maxTotalEntries, options.localSearchRounds});
  uint64_t maxEntries =
      getMaxEntries(options.maxTotalEntries / 4, options.maxBoundEntries);
  EliminationPlan plan = planElimination(split, maxEntries);
  llvm::append_range(plan.order, plan.kept);
  SearchResult result = branchAndBound(split, plan.order, std::move(best),
                                       {maxEntries, options.maxSearchNodes});
  result.states.resize(numVars);
  return result;
}

/// Solves a problem component by component.
class Solver {
public:
  Solver(const LayoutProblem &problem, const SolverOptions &options)
      : problem(problem), options(options), terms(buildCostTerms(problem)),
        presolved(options.presolve ? presolve(terms) : skipPresolve(terms)) {}

  OptimalResult run();

private:
  void decide();
  void solveComponents();
  void solveComponent(const Component &component);
  std::vector<std::vector<StateId>>
  restrictInitial(const Component &component) const;
  void useBestInitial();

  const LayoutProblem &problem;
  const SolverOptions &options;
  CostTerms terms;
  Presolved presolved;
  std::vector<StateId> states;
  Weight bound = 0;
  Certificate certificate;
};

/// Takes over what presolve decided.
void Solver::decide() {
  states.resize(terms.getNumVariables());
  bound = presolved.constant;
  size_t firstState = 0;
  for (VarId var = 0; var < states.size(); ++var) {
    bool isFree = terms.getNumStates(var) > 1;
    bool isDecided = options.presolve && presolved.isDecided(var);
    certificate.numFreeVariables += isFree;
    certificate.numPresolved += isFree && isDecided;
    states[var] = getNthState(presolved.alive[var], 0);
    if (isDecided)
      bound += presolved.stateCosts[firstState + states[var]];
    firstState += terms.getNumStates(var);
  }
}

/// The assignments known, in the numbers of the component. A state that
/// presolve removed becomes the first.
std::vector<std::vector<StateId>>
Solver::restrictInitial(const Component &component) const {
  std::vector<std::vector<StateId>> starts;
  for (const std::vector<StateId> &initial : options.initial) {
    std::vector<StateId> &start = starts.emplace_back();
    for (VarId var : component.vars) {
      StateMask alive = presolved.alive[var];
      StateMask below = (StateMask(1) << initial[var]) - 1;
      start.push_back(
          contains(alive, initial[var]) ? llvm::popcount(alive & below) : 0);
    }
  }
  return starts;
}

void Solver::solveComponent(const Component &component) {
  SearchResult result = ComponentSolver(component.terms, options, certificate)
                            .solve(restrictInitial(component));
  bound += result.bound;
  for (auto [index, var] : llvm::enumerate(component.vars))
    states[var] = getNthState(presolved.alive[var], result.states[index]);
}

void Solver::solveComponents() {
  Components components(terms, presolved, /*keepDecided=*/!options.presolve);
  certificate.numComponents = components.size();
  for (unsigned index = 0; index < components.size(); ++index)
    solveComponent(components.extract(index));
}

/// Local search may end above an assignment that presolve took states from.
void Solver::useBestInitial() {
  for (const std::vector<StateId> &initial : options.initial)
    if (terms.evaluate(initial) < terms.evaluate(states))
      states = initial;
}

OptimalResult Solver::run() {
  decide();
  solveComponents();
  useBestInitial();
  improveOneByOne(terms, states);
  OptimalResult result;
  result.solution.relayouts = completeRelayouts(problem, states);
  result.solution.states = std::move(states);
  result.certificate = certificate;
  result.certificate.best = computeCost(problem, result.solution);
  result.certificate.bound = toCost(bound, problem.getObjective());
  return result;
}

} // namespace

/// Makes copies from copies, and takes the other states where they are cheaper
/// then.
static void useCopies(const LayoutProblem &problem, OptimalResult &result,
                      std::vector<StateId> other) {
  auto complete = [&](std::vector<StateId> states) {
    std::vector<Relayout> relayouts = completeFromCopies(problem, states);
    return Solution{std::move(states), std::move(relayouts)};
  };
  Solution own = complete(std::move(result.solution.states));
  Solution bounding = complete(std::move(other));
  Cost cost = computeCost(problem, own);
  Cost otherCost = computeCost(problem, bounding);
  bool isOther = isCheaper(otherCost, cost, problem.getObjective());
  result.solution = std::move(isOther ? bounding : own);
  result.certificate.best = isOther ? otherCost : cost;
}

OptimalResult solveOptimal(const LayoutProblem &problem,
                           const SolverOptions &options) {
  OptimalResult result = Solver(problem, options).run();
  bool hasChains = options.copiesOfCopies && problem.hasPairCosts();
  if (options.openNets.none() && options.openVariables.none() && !hasChains)
    return result;
  SolverOptions bounding = options;
  bounding.initial.clear();
  LayoutProblem known = problem.relax(options.openNets, options.openVariables);
  OptimalResult bound = Solver(known, bounding).run();
  result.certificate.bound = bound.certificate.bound;
  result.certificate.numOpenNets = options.openNets.count();
  if (hasChains)
    useCopies(problem, result, std::move(bound.solution.states));
  return result;
}

} // namespace inlay
