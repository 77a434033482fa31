# Debian packages: ./dev package runs cpack in a build folder of its own (shared LLVM, prefix /usr).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cmkit)
set(CPACK_PACKAGE_VENDOR "The cmkit authors")
# Whose packages these are: as Debian's own tools ask for it.
if("$ENV{DEBEMAIL}" STREQUAL "")
  set(maintainer "The cmkit authors <cmkit@localhost>")
elseif("$ENV{DEBFULLNAME}" STREQUAL "")
  set(maintainer "The cmkit authors <$ENV{DEBEMAIL}>")
else()
  set(maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
set(CPACK_PACKAGE_CONTACT "${maintainer}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "C for Metal on Intel GPUs")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(libcmrt libcmrt${CMRT_SOVERSION}) # Debian names a library's package by its soname
set(CPACK_COMPONENTS_ALL cmkit ${libcmrt} libcmkit-dev python3-cmkit cmkit-doc)
if(TARGET gensim)
  list(APPEND CPACK_COMPONENTS_ALL gensim)
endif()
if(TARGET clangFEWrapper)
  list(APPEND CPACK_COMPONENTS_ALL cmkit-opencl-frontend)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
# Later versions of a soname have all that earlier ones have.
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# debian_package(NAME SECTION DEPENDS SUMMARY DESCRIPTION)
function(debian_package name section depends summary description)
  string(TOUPPER ${name} upper)
  foreach(setting
      "PACKAGE_NAME|${name}" "PACKAGE_SECTION|${section}" "PACKAGE_DEPENDS|${depends}"
      "DESCRIPTION|${summary}\n ${description}")
    string(REGEX MATCH "^[A-Z_]+" key "${setting}")
    string(REGEX REPLACE "^[A-Z_]+\\|" "" value "${setting}")
    set(CPACK_DEBIAN_${upper}_${key} "${value}" PARENT_SCOPE)
    set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n ${description}" PARENT_SCOPE)
  endforeach()
  # What Debian wants in every package: the licence, and what changed.
  set(folder ${CMAKE_BINARY_DIR}/debian/${name})
  file(READ ${CMAKE_SOURCE_DIR}/LICENSE licence)
  string(REGEX REPLACE "\n" "\n " licence "${licence}")
  string(REGEX REPLACE "\n \n" "\n .\n" licence "${licence}")
  string(REGEX REPLACE "\n +$" "\n" licence "${licence}")
  file(CONFIGURE OUTPUT ${folder}/copyright @ONLY CONTENT
"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: cmkit

Files: *
Copyright: 2026 The cmkit authors
License: Expat
 @licence@")
  file(CONFIGURE OUTPUT ${folder}/changelog @ONLY CONTENT
"@name@ (@PROJECT_VERSION@) unstable; urgency=medium

  * Release @PROJECT_VERSION@.

 -- @maintainer@  Thu, 01 Jan 2026 00:00:00 +0000
")
  execute_process(COMMAND gzip -9nkf ${folder}/changelog COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${folder}/copyright ${folder}/changelog.gz DESTINATION share/doc/${name} COMPONENT ${name}
    EXCLUDE_FROM_ALL)
endfunction()

# package_of(VARIABLE FALLBACK NAME...): the package that has a program or library here. The suites of Debian differ in
# where they put Intel's.
function(package_of variable fallback)
  find_file(found NAMES ${ARGN} PATHS /usr/bin /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} NO_DEFAULT_PATH NO_CACHE)
  set(package "")
  if(found)
    file(REAL_PATH ${found} path)
    execute_process(COMMAND dpkg-query -S ${path} OUTPUT_VARIABLE package ERROR_QUIET)
    string(REGEX REPLACE "[:,].*" "" package "${package}")
  endif()
  if(NOT package)
    set(package ${fallback})
  endif()
  set(${variable} ${package} PARENT_SCOPE)
endfunction()
package_of(finalizer "" GenX_IR)
if(finalizer) # else cmc compiles for the host and to what needs no finalizer, and says which program is missing
  set(finalizer ", ${finalizer}")
endif()
package_of(level_zero intel-opencl-icd libze_intel_gpu.so.1)
package_of(decoder libigc1 libiga64.so.1)
package_of(spirv_reader llvm-spirv-14 llvm-spirv-${CMKIT_LLVM_VERSION} llvm-spirv-14)
set(drivers intel-opencl-icd ${level_zero})
list(REMOVE_DUPLICATES drivers)
list(JOIN drivers ", " drivers)

set(version "${PROJECT_VERSION}")
debian_package(cmkit devel
  "${libcmrt} (= ${version}), libclang-common-${CMKIT_LLVM_VERSION}-dev${finalizer}, python3:any"
  "compiler for C for Metal, explicit-SIMD C++ for Intel GPUs"
  "cmc compiles C for Metal with LLVM and Clang to what Intel's Level Zero and\n OpenCL drivers load. cmrun launches kernels from the command line.")
set(CPACK_DEBIAN_CMKIT_PACKAGE_RECOMMENDS "gensim")
set(CPACK_DEBIAN_CMKIT_PACKAGE_SUGGESTS "libcmkit-dev, cmkit-doc, ${drivers}, ${spirv_reader}")
debian_package(${libcmrt} libs ""
  "library that launches C for Metal kernels"
  "libcmrt loads what cmc compiles, on an Intel GPU through Level Zero or on the\n CPU, and launches its kernels.")
set(CPACK_DEBIAN_LIBCMRT${CMRT_SOVERSION}_PACKAGE_RECOMMENDS "${drivers}, libze1")
# Programs depend on the first version of the package whose library has all functions that they call: each node of
# cmrt.map, with that version.
set(CMRT_1.0_since 0.1.0)
file(STRINGS runtime/cmrt.map lines REGEX "^CMRT_.* \\{|^    cmrt_.*[^:]$")
set(symbols "libcmrt.so.${CMRT_SOVERSION} ${libcmrt} #MINVER#\n* Build-Depends-Package: libcmkit-dev\n")
foreach(line IN LISTS lines)
  string(REGEX MATCH "[A-Za-z0-9_.]+" name "${line}")
  if(name MATCHES "^CMRT_")
    set(node ${name})
    if(NOT ${node}_since)
      message(FATAL_ERROR "cmake/packages.cmake: since which version of the package is there ${node} of cmrt.map?")
    endif()
  endif()
  string(APPEND symbols " ${name}@${node} ${${node}_since}\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/debian/${libcmrt}/symbols CONTENT "@symbols@" @ONLY)
set(CPACK_DEBIAN_LIBCMRT${CMRT_SOVERSION}_PACKAGE_CONTROL_EXTRA
  "${CMAKE_BINARY_DIR}/debian/${libcmrt}/symbols;${CMAKE_SOURCE_DIR}/cmake/debian/triggers")
debian_package(libcmkit-dev libdevel "${libcmrt} (= ${version}), cmkit (= ${version})"
  "library that launches C for Metal kernels, for development"
  "The header of libcmrt, and what CMake, pkg-config and Meson need to compile\n kernels in the build of a program.")
debian_package(gensim devel "${decoder}"
  "simulator of Intel GPUs underneath Intel's own drivers"
  "gensim runs a Level Zero or OpenCL program with Intel's unmodified driver on a\n simulated GPU inside the process.")
set(CPACK_DEBIAN_GENSIM_PACKAGE_RECOMMENDS "${drivers}, libze1")
debian_package(cmkit-opencl-frontend libs "cmkit (= ${version})"
  "C for Metal as a source language of Intel's OpenCL driver"
  "With this library Intel's OpenCL driver builds programs with the option -cmc\n from C for Metal source.")
debian_package(python3-cmkit python "cmkit (= ${version}), ${libcmrt} (= ${version}), python3:any, python3-numpy"
  "C for Metal kernels from Python"
  "The package cmkit compiles kernels from strings and launches them with NumPy\n arrays, on an Intel GPU, a simulated one or the CPU.")
set(CPACK_DEBIAN_PYTHON3-CMKIT_PACKAGE_RECOMMENDS "gensim")
set(CPACK_DEBIAN_PYTHON3-CMKIT_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON3-CMKIT_PACKAGE_SHLIBDEPS OFF)
debian_package(cmkit-doc doc ""
  "documentation of cmkit, a toolchain for C for Metal"
  "Guides for writing, building, running and debugging kernels, the language's\n reference, and how compiler and simulator work.")
install(FILES cmake/debian/cmkit-opencl-frontend DESTINATION share/lintian/overrides COMPONENT cmkit-opencl-frontend
  EXCLUDE_FROM_ALL)
set(CPACK_DEBIAN_CMKIT-DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_CMKIT-DOC_PACKAGE_SHLIBDEPS OFF)
install(DIRECTORY docs/ DESTINATION share/doc/cmkit-doc/docs COMPONENT cmkit-doc EXCLUDE_FROM_ALL)
install(DIRECTORY examples DESTINATION share/doc/cmkit-doc COMPONENT cmkit-doc EXCLUDE_FROM_ALL)

# The headers are parsed when the package is installed: what comes out knows their dates.
set(CPACK_DEBIAN_CMKIT_PACKAGE_CONTROL_EXTRA
    ${CMAKE_SOURCE_DIR}/cmake/debian/postinst ${CMAKE_SOURCE_DIR}/cmake/debian/prerm)
set(CPACK_DEBIAN_CMKIT-OPENCL-FRONTEND_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/cmake/debian/triggers)
include(CPack)
