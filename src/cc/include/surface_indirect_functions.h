// Surfaces through objects (cudaSurfaceObject_t) and through references (surface<void, type>). x counts bytes.
#pragma once
#define __SURFACE_INDIRECT_FUNCTIONS_H__

#include "warpwright/device/define.h"

namespace warpwright_surface {

// Up to 16 bytes on their way to or from a surface.
template <typename T>
union Parts {
  static_assert(sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16,
                "a surface access moves 1, 2, 4, 8 or 16 bytes");
  unsigned int word[4];
  unsigned short half;
  T value;
  WARPWRIGHT_INLINE Parts() : word{} {}
};

#define WARPWRIGHT_UNPACK(...) __VA_ARGS__
#define WARPWRIGHT_LOAD_HALF(form, edge, at, inputs) \
  asm volatile("suld.b." form edge " {%0}, [%[s], {" at "}];" : "=h"(parts.half) : [s] "l"(surface), WARPWRIGHT_UNPACK inputs : "memory")
#define WARPWRIGHT_LOAD_1(form, edge, at, inputs)             \
  asm volatile("suld.b." form edge " {%0}, [%[s], {" at "}];" \
               : "=r"(parts.word[0])                          \
               : [s] "l"(surface), WARPWRIGHT_UNPACK inputs   \
               : "memor"                                      \
                 "y")
#define WARPWRIGHT_LOAD_2(form, edge, at, inputs)                 \
  asm volatile("suld.b." form edge " {%0, %1}, [%[s], {" at "}];" \
               : "=r"(parts.word[0]), "=r"(parts.word[1])         \
               : [s] "l"(surface), WARPWRIGHT_UNPACK inputs       \
               : "memory")
#define WARPWRIGHT_LOAD_4(form, edge, at, inputs)                                                   \
  asm volatile("suld.b." form edge " {%0, %1, %2, %3}, [%[s], {" at "}];"                           \
               : "=r"(parts.word[0]), "=r"(parts.word[1]), "=r"(parts.word[2]), "=r"(parts.word[3]) \
               : [s] "l"(surface), WARPWRIGHT_UNPACK inputs                                         \
               : "memory")
#define WARPWRIGHT_STORE_HALF(form, edge, at, inputs)                                                                             \
  asm volatile("sust.b." form edge " [%[s], {" at "}], {%[a]};" ::[s] "l"(surface), [a] "h"(parts.half), WARPWRIGHT_UNPACK inputs \
               : "memory")
#define WARPWRIGHT_STORE_1(form, edge, at, inputs)                                                                                   \
  asm volatile("sust.b." form edge " [%[s], {" at "}], {%[a]};" ::[s] "l"(surface), [a] "r"(parts.word[0]), WARPWRIGHT_UNPACK inputs \
               : "memory")
#define WARPWRIGHT_STORE_2(form, edge, at, inputs)                                                                                        \
  asm volatile("sust.b." form edge " [%[s], {" at "}], {%[a], %[b]};" ::[s] "l"(surface), [a] "r"(parts.word[0]), [b] "r"(parts.word[1]), \
               WARPWRIGHT_UNPACK inputs                                                                                                   \
               : "memory")
#define WARPWRIGHT_STORE_4(form, edge, at, inputs)                                                                            \
  asm volatile("sust.b." form edge " [%[s], {" at "}], {%[a], %[b], %[c], %[d]};" ::[s] "l"(surface), [a] "r"(parts.word[0]), \
               [b] "r"(parts.word[1]), [c] "r"(parts.word[2]), [d] "r"(parts.word[3]), WARPWRIGHT_UNPACK inputs               \
               : "memory")

// The boundary mode is a constant in practice, so that one instruction remains.
#define WARPWRIGHT_BY_EDGE(access, form, at, inputs) \
  if (mode == cudaBoundaryModeZero)                  \
    access(form, ".zero", at, inputs);               \
  else if (mode == cudaBoundaryModeClamp)            \
    access(form, ".clamp", at, inputs);              \
  else                                               \
    access(form, ".trap", at, inputs)
#define WARPWRIGHT_BY_SIZE(access, shape, at, inputs)            \
  if (sizeof(T) == 1) {                                          \
    WARPWRIGHT_BY_EDGE(access##_HALF, shape ".b8", at, inputs);  \
  } else if (sizeof(T) == 2) {                                   \
    WARPWRIGHT_BY_EDGE(access##_HALF, shape ".b16", at, inputs); \
  } else if (sizeof(T) == 4) {                                   \
    WARPWRIGHT_BY_EDGE(access##_1, shape ".b32", at, inputs);    \
  } else if (sizeof(T) == 8) {                                   \
    WARPWRIGHT_BY_EDGE(access##_2, shape ".v2.b32", at, inputs); \
  } else {                                                       \
    WARPWRIGHT_BY_EDGE(access##_4, shape ".v4.b32", at, inputs); \
  }

}  // namespace warpwright_surface

#define WARPWRIGHT_SURFACE(name, shape, parameters, arguments, at, inputs)                                                            \
  template <typename T, typename Handle>                                                                                              \
  WARPWRIGHT_INLINE T name##read(Handle surface, WARPWRIGHT_UNPACK parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
    warpwright_surface::Parts<T> parts;                                                                                               \
    WARPWRIGHT_BY_SIZE(WARPWRIGHT_LOAD, shape, at, inputs)                                                                            \
    return parts.value;                                                                                                               \
  }                                                                                                                                   \
  template <typename T, typename Handle>                                                                                              \
  WARPWRIGHT_INLINE void name##read(T* to, Handle surface, WARPWRIGHT_UNPACK parameters,                                              \
                                    cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                            \
    *to = name##read<T>(surface, WARPWRIGHT_UNPACK arguments, mode);                                                                  \
  }                                                                                                                                   \
  template <typename T, typename Handle>                                                                                              \
  WARPWRIGHT_INLINE void name##write(T value, Handle surface, WARPWRIGHT_UNPACK parameters,                                           \
                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                                           \
    warpwright_surface::Parts<T> parts;                                                                                               \
    parts.value = value;                                                                                                              \
    WARPWRIGHT_BY_SIZE(WARPWRIGHT_STORE, shape, at, inputs)                                                                           \
  }

WARPWRIGHT_SURFACE(surf1D, "1d", (int x), (x), "%[x]", ([x] "r"(x)))
WARPWRIGHT_SURFACE(surf2D, "2d", (int x, int y), (x, y), "%[x], %[y]", ([x] "r"(x), [y] "r"(y)))
WARPWRIGHT_SURFACE(surf3D, "3d", (int x, int y, int z), (x, y, z), "%[x], %[y], %[z], %[z]", ([x] "r"(x), [y] "r"(y), [z] "r"(z)))
WARPWRIGHT_SURFACE(surf1DLayered, "a1d", (int x, int layer), (x, layer), "%[l], %[x]", ([x] "r"(x), [l] "r"(layer)))
WARPWRIGHT_SURFACE(surf2DLayered, "a2d", (int x, int y, int layer), (x, y, layer), "%[l], %[x], %[y], %[y]",
                   ([x] "r"(x), [y] "r"(y), [l] "r"(layer)))
// Faces of cube maps are layers.
WARPWRIGHT_SURFACE(surfCubemap, "a2d", (int x, int y, int face), (x, y, face), "%[l], %[x], %[y], %[y]",
                   ([x] "r"(x), [y] "r"(y), [l] "r"(face)))
WARPWRIGHT_SURFACE(surfCubemapLayered, "a2d", (int x, int y, int layerFace), (x, y, layerFace), "%[l], %[x], %[y], %[y]",
                   ([x] "r"(x), [y] "r"(y), [l] "r"(layerFace)))

#undef WARPWRIGHT_SURFACE
#undef WARPWRIGHT_BY_SIZE
#undef WARPWRIGHT_BY_EDGE
#undef WARPWRIGHT_STORE_4
#undef WARPWRIGHT_STORE_2
#undef WARPWRIGHT_STORE_1
#undef WARPWRIGHT_STORE_HALF
#undef WARPWRIGHT_LOAD_4
#undef WARPWRIGHT_LOAD_2
#undef WARPWRIGHT_LOAD_1
#undef WARPWRIGHT_LOAD_HALF
#undef WARPWRIGHT_UNPACK
