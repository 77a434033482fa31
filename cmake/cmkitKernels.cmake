# cm_add_kernel(TARGET SOURCES FILE.cm... MARCH NAME... [OPTIONS WORD...] [EMBED])
#   Compiles each file to NAME.bin in the current binary folder: one for all platforms of MARCH, or a library NAME.so
#   for this machine if that is host. A file is compiled anew when it changed, or a file that it includes. The target's
#   property CM_BINARIES lists the outputs. With EMBED the target is a library instead, which other targets link. It
#   holds the outputs as arrays, and adds their header to the include path: #include "NAME.h" declares
#     extern const unsigned char NAME[], NAME_end[];
#
# cm_add_kernel_test(NAME DEVICE NAME... COMMAND PROGRAM [WORD...])
#   Adds the tests NAME.DEVICE, which run the program on the simulated GPU DEVICE, as `gensim -d` calls it. Where no
#   installed driver knows the device, the test is skipped.
include_guard(GLOBAL)

# Rules for one source. The output's path is put into the variable `output`.
function(_cm_compile source march options output)
  get_filename_component(name "${source}" NAME_WE)
  get_filename_component(path "${source}" ABSOLUTE)
  list(JOIN march "," platforms)
  set(ending "bin")
  if(platforms STREQUAL "host")
    set(ending "so")
  endif()
  set(binary "${CMAKE_CURRENT_BINARY_DIR}/${name}.${ending}")
  add_custom_command(OUTPUT "${binary}"
    COMMAND cmkit::cmc "-march=${platforms}" ${options} -MD -MF "${binary}.d" -MQ "${binary}" "${path}" -o "${binary}"
    DEPENDS "${path}" cmkit::cmc
    DEPFILE "${binary}.d"
    COMMENT "Compiling ${name}.cm for ${platforms}"
    VERBATIM)
  set(${output} "${binary}" PARENT_SCOPE)
endfunction()

# A C file with the array, and its header.
function(_cm_embed binary output)
  get_filename_component(name "${binary}" NAME_WE)
  string(MAKE_C_IDENTIFIER "${name}" symbol)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/cm_embedded")
  file(CONFIGURE OUTPUT "${folder}/${name}.h" @ONLY CONTENT
"#ifdef __cplusplus
extern \"C\" {
#endif
extern const unsigned char @symbol@[], @symbol@_end[];
#ifdef __cplusplus
}
#endif
")
  file(CONFIGURE OUTPUT "${folder}/${name}.c" @ONLY CONTENT
"__asm__(\".section .rodata\\n.balign 8\\n.globl @symbol@\\n.globl @symbol@_end\\n\"
        \"@symbol@:\\n.incbin \\\"@binary@\\\"\\n@symbol@_end:\\n.byte 0\\n.previous\\n\");
")
  set_source_files_properties("${folder}/${name}.c" PROPERTIES OBJECT_DEPENDS "${binary}")
  set(${output} "${folder}/${name}.c" PARENT_SCOPE)
endfunction()

function(cm_add_kernel target)
  cmake_parse_arguments(arg "EMBED" "" "SOURCES;MARCH;OPTIONS" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES OR NOT arg_MARCH)
    message(FATAL_ERROR "cm_add_kernel(TARGET SOURCES FILE.cm... MARCH NAME... [OPTIONS WORD...] [EMBED]): "
      "SOURCES or MARCH is missing, or there is a word that it does not know: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  set(binaries "")
  set(embedded "")
  foreach(source IN LISTS arg_SOURCES)
    _cm_compile("${source}" "${arg_MARCH}" "${arg_OPTIONS}" binary)
    list(APPEND binaries "${binary}")
    if(arg_EMBED)
      _cm_embed("${binary}" array)
      list(APPEND embedded "${array}")
    endif()
  endforeach()
  if(arg_EMBED)
    add_library(${target} STATIC ${embedded})
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C)
    target_include_directories(${target} INTERFACE "${CMAKE_CURRENT_BINARY_DIR}/cm_embedded")
    add_custom_target(${target}_binaries DEPENDS ${binaries})
    add_dependencies(${target} ${target}_binaries)
  else()
    add_custom_target(${target} ALL DEPENDS ${binaries})
  endif()
  set_target_properties(${target} PROPERTIES CM_BINARIES "${binaries}")
endfunction()

function(cm_add_kernel_test name)
  cmake_parse_arguments(arg "" "" "DEVICE;COMMAND" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_DEVICE OR NOT arg_COMMAND)
    message(FATAL_ERROR
        "cm_add_kernel_test(NAME DEVICE NAME... COMMAND PROGRAM [WORD...]): DEVICE or COMMAND is missing")
  endif()
  if(NOT TARGET cmkit::gensim)
    message(FATAL_ERROR "cm_add_kernel_test: there is no gensim beside cmc: its package is gensim")
  endif()
  list(POP_FRONT arg_COMMAND program)
  if(TARGET ${program})
    set(program $<TARGET_FILE:${program}>)
  endif()
  foreach(device IN LISTS arg_DEVICE)
    add_test(NAME ${name}.${device} COMMAND cmkit::gensim -d ${device} -- ${program} ${arg_COMMAND})
    set_tests_properties(${name}.${device} PROPERTIES SKIP_REGULAR_EXPRESSION
      "no driver has used the simulated ${device}:;${device} is not known to the installed driver:")
  endforeach()
endfunction()
