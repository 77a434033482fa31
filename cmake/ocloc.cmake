# Finds the ocloc that compiles for a device. Intel's newest driver no longer knows every platform, so the programs are
# asked: `ocloc` first, then those beside it with a version in their names, among which Debian has the legacy branch's.
# Where they name their output in another way than Debian 12's, ocloc.sh stands before them, in builds and tests.
find_program(OCLOC ocloc REQUIRED)
get_filename_component(ocloc_folder ${OCLOC} DIRECTORY)
file(GLOB CMKIT_OCLOCS ${ocloc_folder}/ocloc-*)
list(PREPEND CMKIT_OCLOCS ${OCLOC})

# The answers are kept as long as the programs stay what they are.
set(ocloc_state "")
foreach(program IN LISTS CMKIT_OCLOCS)
  file(TIMESTAMP ${program} time)
  list(APPEND ocloc_state ${program} ${time})
endforeach()
if(NOT "${ocloc_state}" STREQUAL "${CMKIT_OCLOC_STATE}")
  set(CMKIT_OCLOC_STATE "${ocloc_state}" CACHE INTERNAL "programs that ocloc_for() has asked")
  get_cmake_property(answers CACHE_VARIABLES)
  list(FILTER answers INCLUDE REGEX "^CMKIT_OCLOC_(FOR_|WRAPPER$)")
  foreach(answer IN LISTS answers)
    unset(${answer} CACHE)
  endforeach()
endif()

# CMKIT_OCLOC_WRAPPER: ocloc.sh as a program named ocloc, if it is needed. Asked with a platform that all of them know.
if(NOT DEFINED CMKIT_OCLOC_WRAPPER)
  set(folder ${CMAKE_BINARY_DIR}/ocloc)
  file(REMOVE_RECURSE ${folder})
  file(WRITE ${folder}/empty.cl "kernel void nothing(void)\n{\n}\n")
  execute_process(COMMAND ${OCLOC} compile -q -file ${folder}/empty.cl -device tgllp -output_no_suffix
      -output named -out_dir ${folder}
    OUTPUT_QUIET ERROR_QUIET)
  set(wrapper "")
  if(EXISTS ${folder}/named.bin)
    set(wrapper ${folder}/bin/ocloc)
  endif()
  set(CMKIT_OCLOC_WRAPPER "${wrapper}" CACHE INTERNAL "stands before ocloc")
endif()
set(CMKIT_OCLOC ${OCLOC}) # for any device
if(CMKIT_OCLOC_WRAPPER)
  set(CMKIT_OCLOC ${CMKIT_OCLOC_WRAPPER})
  list(JOIN CMKIT_OCLOCS " " programs)
  configure_file(${CMAKE_SOURCE_DIR}/cmake/ocloc.sh ${CMKIT_OCLOC_WRAPPER} @ONLY FILE_PERMISSIONS OWNER_READ OWNER_WRITE
    OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endif()

# CMKIT_INTEL_ICDS: for $OCL_ICD_VENDORS of tests that want no driver but Intel's: the newest and the legacy branch's.
set(CMKIT_INTEL_ICDS ${CMAKE_BINARY_DIR}/ocloc/vendors)
file(GLOB icds /etc/OpenCL/vendors/intel*.icd)
file(COPY ${icds} DESTINATION ${CMKIT_INTEL_ICDS})

# ocloc_for(VARIABLE DEVICE): the program, or empty. (`ocloc ids` would be quicker, but Debian 12's knows no dg2 there.)
function(ocloc_for variable device)
  if(NOT DEFINED CMKIT_OCLOC_FOR_${device})
    set(folder ${CMAKE_BINARY_DIR}/ocloc)
    set(found "")
    foreach(program IN LISTS CMKIT_OCLOCS)
      execute_process(COMMAND ${program} compile -q -file ${folder}/empty.cl -device ${device} -output_no_suffix
          -output ${device}.bin -out_dir ${folder}
        RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
      if(status EQUAL 0)
        set(found ${program})
        break()
      endif()
    endforeach()
    if(found AND CMKIT_OCLOC_WRAPPER)
      set(found ${CMKIT_OCLOC_WRAPPER})
    endif()
    set(CMKIT_OCLOC_FOR_${device} "${found}" CACHE INTERNAL "the ocloc that knows ${device}")
    if(NOT found)
      message(STATUS "no ocloc knows ${device}: tests on it are skipped")
    endif()
  endif()
  set(${variable} "${CMKIT_OCLOC_FOR_${device}}" PARENT_SCOPE)
endfunction()

# ocloc_compile(OUTPUT DEVICE SOURCE [OPTION...]): a rule that makes OUTPUT, a path, of SOURCE; none where no ocloc
# knows the device.
function(ocloc_compile output device source)
  ocloc_for(program ${device})
  if(NOT program)
    return()
  endif()
  get_filename_component(folder ${output} DIRECTORY)
  get_filename_component(name ${output} NAME)
  get_filename_component(label ${source} NAME)
  add_custom_command(OUTPUT ${output}
    COMMAND ${program} compile -q -file ${source} -device ${device} ${ARGN} -output_no_suffix -output ${name}
            -out_dir ${folder}
    DEPENDS ${source} COMMENT "ocloc ${label} for ${device}" VERBATIM)
endfunction()

# ocloc_for_any(PROGRAM DEVICE NAME...): an ocloc and the first of the devices that it knows, for what fits any of them.
function(ocloc_for_any program device)
  foreach(name IN LISTS ARGN)
    ocloc_for(found ${name})
    if(found)
      set(${program} ${found} PARENT_SCOPE)
      set(${device} ${name} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "no ocloc knows one of: ${ARGN}")
endfunction()

# ocloc_unknown(VARIABLE): the devices of tables/platforms.def that gensim presents without `--driver current` and that
# no ocloc here knows. A driver is of the same release as its ocloc, and knows the same devices.
function(ocloc_unknown variable)
  file(READ ${CMAKE_SOURCE_DIR}/tables/platforms.def table)
  string(REPLACE ";" " " table "${table}")
  string(REPLACE "\nPLATFORM(" ";" rows "${table}")
  set(unknown "")
  foreach(row IN LISTS rows)
    if(row MATCHES "\\.simulated = 1" AND NOT row MATCHES "needs_current = 1"
        AND row MATCHES "\\.ocloc = \"([a-z0-9_]+)\"")
      set(device ${CMAKE_MATCH_1})
      ocloc_for(program ${device})
      if(NOT program)
        list(APPEND unknown ${device})
      endif()
    endif()
  endforeach()
  set(${variable} "${unknown}" PARENT_SCOPE)
endfunction()
