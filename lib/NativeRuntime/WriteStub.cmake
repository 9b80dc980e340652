# Writes assembly that defines the functions of LIST and ALSO, for a machine, to OUTPUT.
#
# A line of the list is a name, and behind it the only machine that has it, if
# not all have it.
file(STRINGS ${LIST} lines)
set(text "\t.text\n")
foreach(line ${lines} ${ALSO})
  separate_arguments(words UNIX_COMMAND "${line}")
  list(GET words 0 name)
  list(LENGTH words count)
  if(count GREATER 1)
    list(GET words 1 only)
  else()
    set(only ${ARCH})
  endif()
  if(only STREQUAL ARCH)
    string(APPEND text "\t.globl ${name}\n\t.type ${name},%function\n${name}:\n\t.byte 0\n")
  endif()
endforeach()
string(APPEND text "\t.section .note.GNU-stack,\"\",%progbits\n")
file(WRITE ${OUTPUT} "${text}")
