# cmake --install build --prefix PREFIX [--strip] [--component NAME]: programs find what they need beside themselves, so
# that a prefix can be moved, and several versions can stand side by side. The components are the packages of
# packages.cmake.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# A whole installation does not begin on a disk that cannot hold it: nothing is half-installed then.
set(sizes "")
foreach(target cmc cm-precompile cmrun gensim cmbench gensim_preload gensim_none gensim_replay clangFEWrapper cmrt)
  if(TARGET ${target})
    string(APPEND sizes " \"$<TARGET_FILE:${target}>\"")
  endif()
endforeach()
install(CODE "set(CMKIT_INSTALLED_FILES ${sizes})")
install(SCRIPT cmake/check_space.cmake)

function(install_programs component)
  foreach(program IN LISTS ARGN)
    if(TARGET ${program})
      install(TARGETS ${program} RUNTIME DESTINATION bin COMPONENT ${component})
    endif()
  endforeach()
endfunction()

install_programs(cmkit cmc cm-precompile cmrun)
install_programs(gensim gensim)
install_programs(bench cmbench)
install(DIRECTORY include/cm DESTINATION include COMPONENT cmkit)
install(FILES tools/gdb/cm.py tools/gdb/gen.py DESTINATION share/cmkit/gdb COMPONENT cmkit)
install(PROGRAMS tools/explorer/cmc-explorer DESTINATION share/cmkit/explorer COMPONENT cmkit)
install(FILES tools/explorer/c++.local.properties DESTINATION share/cmkit/explorer COMPONENT cmkit)
if(TARGET gensim) # libraries that gensim loads into programs: they are not linked
  install(TARGETS gensim_preload gensim_none gensim_aiwc LIBRARY DESTINATION lib/cmkit COMPONENT gensim)
  install(TARGETS gensim_replay RUNTIME DESTINATION lib/cmkit COMPONENT gensim)
  install(FILES include/cmkit/gensim_plugin.h include/cmkit/gensim_time.h DESTINATION include/cmkit COMPONENT gensim)
endif()
if(TARGET clangFEWrapper)
  install(TARGETS clangFEWrapper LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT cmkit-opencl-frontend)
endif()

if(TARGET cmrt)
  install(DIRECTORY python/cmkit DESTINATION lib/python3/dist-packages COMPONENT python3-cmkit FILES_MATCHING
    PATTERN "*.py" PATTERN py.typed PATTERN __pycache__ EXCLUDE)
endif()

# The precompiled headers know where the headers lie, and when these were written: they are made where the headers are.
# A package makes them when it is installed.
if(TARGET cm-precompile)
  install(FILES ${CMAKE_BINARY_DIR}/lib/cmkit/precompiled.h DESTINATION lib/cmkit COMPONENT cmkit)
  install(CODE [[
    if("$ENV{DESTDIR}" STREQUAL "" AND NOT CPACK_PACKAGE_NAME)
      foreach(target gpu host)
        execute_process(COMMAND_ERROR_IS_FATAL ANY COMMAND ${CMAKE_INSTALL_PREFIX}/bin/cm-precompile ${target}
          ${CMAKE_INSTALL_PREFIX}/lib/cmkit/precompiled.h ${CMAKE_INSTALL_PREFIX}/lib/cmkit/cm-${target}.pch)
      endforeach()
    endif()]] COMPONENT cmkit)
endif()

# libcmrt, for programs: CMake's find_package(cmkit), pkg-config.
if(TARGET cmrt)
  target_include_directories(cmrt INTERFACE $<INSTALL_INTERFACE:include>)
  install(TARGETS cmrt EXPORT cmkit
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT libcmrt${CMRT_SOVERSION} NAMELINK_COMPONENT libcmkit-dev)
  install(FILES runtime/cmrt.h runtime/image_formats.def DESTINATION include/cmkit COMPONENT libcmkit-dev)
  install(DIRECTORY runtime/cm_rt DESTINATION include/cmkit COMPONENT libcmkit-dev FILES_MATCHING PATTERN "*.h")
  set(cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/cmkit)
  install(EXPORT cmkit NAMESPACE cmkit:: FILE cmkitTargets.cmake DESTINATION ${cmake_folder} COMPONENT libcmkit-dev)
  configure_package_config_file(cmake/cmkitConfig.cmake.in ${CMAKE_BINARY_DIR}/cmkitConfig.cmake
    INSTALL_DESTINATION ${cmake_folder} NO_SET_AND_CHECK_MACRO)
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/cmkitConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${CMAKE_BINARY_DIR}/cmkitConfig.cmake ${CMAKE_BINARY_DIR}/cmkitConfigVersion.cmake
    cmake/cmkitKernels.cmake DESTINATION ${cmake_folder} COMPONENT libcmkit-dev)
  file(RELATIVE_PATH from_pkgconfig /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" from_pkgconfig "${from_pkgconfig}")
  configure_file(cmake/cmkit.pc.in ${CMAKE_BINARY_DIR}/cmkit.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/cmkit.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT libcmkit-dev)
endif()
