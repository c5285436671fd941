# `cmake --build build --target package`: a Debian package of what is installed. Which libraries it depends on, dpkg-shlibdeps finds out; the
# compiler that warpwright-cc calls is a program, and is named here.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME warpwright)
set(CPACK_PACKAGE_CONTACT "The Warpwright authors <warpwright@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-19 | clang-16 | clang, binutils")
include(CPack)
