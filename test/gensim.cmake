# add_gensim_tests(PROGRAM KERNELS.cl): for each simulated device, compiles KERNELS.cl with ocloc (once per folder) and
# adds the test PREFIX.PROGRAM.DEVICE, which runs PROGRAM with the compiled kernels under gensim.
set(GENSIM_TEST_DEVICES skl icllp tgllp) # folders whose tests run on dg2 too append it
# Everything runs with the waits of the software scoreboard checked, which older platforms do not have.
set(GENSIM_TEST_OPTIONS --check-scoreboard)
include(${CMAKE_SOURCE_DIR}/cmake/ocloc.cmake)

# add_gensim_kernels(TARGET KERNELS.cl [OPTION...]): TARGET-DEVICE.bin, with options for the compiler
function(add_gensim_kernels TARGET SOURCE)
  set(options "")
  if(ARGN)
    list(JOIN ARGN " " joined)
    set(options -options "${joined}")
  endif()
  foreach(device IN LISTS GENSIM_TEST_DEVICES)
    set(binary ${CMAKE_CURRENT_BINARY_DIR}/${TARGET}-${device}.bin)
    ocloc_for(program ${device})
    if(program)
      ocloc_compile(${binary} ${device} ${CMAKE_CURRENT_SOURCE_DIR}/${SOURCE} --format zebin ${options})
      list(APPEND binaries ${binary})
    endif()
  endforeach()
  add_custom_target(${TARGET} ALL DEPENDS ${binaries})
endfunction()

function(add_gensim_tests PREFIX PROGRAM KERNELS)
  foreach(device IN LISTS GENSIM_TEST_DEVICES)
    add_test(NAME ${PREFIX}.${PROGRAM}.${device}
      COMMAND gensim -d ${device} ${GENSIM_TEST_OPTIONS} -- $<TARGET_FILE:${PREFIX}_${PROGRAM}>
          ${CMAKE_CURRENT_BINARY_DIR}/${KERNELS}-${device}.bin)
    set_tests_properties(${PREFIX}.${PROGRAM}.${device} PROPERTIES TIMEOUT 300)
  endforeach()
endfunction()
