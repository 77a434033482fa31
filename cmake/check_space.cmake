# Runs at the begin of `cmake --install`: stops it if the disk has less space than the programs need, before anything is
# written. CMKIT_INSTALLED_FILES lists the large files. Each is copied before --strip makes it smaller.
if(CMAKE_INSTALL_COMPONENT OR CPACK_PACKAGE_NAME)
  return() # a part of it
endif()
set(needed 20000000) # headers, precompiled headers and all small files: 15 MB
foreach(file IN LISTS CMKIT_INSTALLED_FILES)
  if(EXISTS "${file}") # else the installation stops by itself
    file(SIZE "${file}" size)
    math(EXPR needed "${needed} + ${size}")
  endif()
endforeach()
set(folder "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
while(NOT EXISTS "${folder}")
  get_filename_component(folder "${folder}" DIRECTORY)
endwhile()
execute_process(COMMAND df -Pk "${folder}" RESULT_VARIABLE status OUTPUT_VARIABLE answer ERROR_QUIET)
if(status EQUAL 0 AND answer MATCHES "[0-9]+ +[0-9]+ +([0-9]+) +[0-9]+%")
  math(EXPR free "${CMAKE_MATCH_1} / 1000")
  math(EXPR wanted "${needed} / 1000000")
  if(free LESS wanted)
    message(FATAL_ERROR "cmkit needs ${wanted} MB below ${CMAKE_INSTALL_PREFIX}, and the disk has ${free} MB left: "
      "nothing was installed. Make room, or choose another --prefix.")
  endif()
endif()
