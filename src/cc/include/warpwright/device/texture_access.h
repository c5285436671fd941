// What the texture and surface functions of the device are made of: one inline PTX instruction for each shape, coordinate type and result.
#pragma once

#include "warpwright/device/define.h"

namespace warpwright_texture {

// Four components as the instruction returns them.
template <typename C>
struct Four {
  C x, y, z, w;
};

// The element types of textures: how many components, in which registers.
template <typename T>
struct Element;
#define WARPWRIGHT_ELEMENT(type, component, register, expression)                      \
  template <>                                                                          \
  struct Element<type> {                                                               \
    using Part = component;                                                            \
    using Register = register;                                                         \
    static WARPWRIGHT_INLINE type from(const Four<register>& v) { return expression; } \
  };
#define WARPWRIGHT_ELEMENTS(vector, component, register)                                     \
  WARPWRIGHT_ELEMENT(component, component, register, Part(v.x))                              \
  WARPWRIGHT_ELEMENT(vector##1, component, register, make_##vector##1(Part(v.x)))            \
  WARPWRIGHT_ELEMENT(vector##2, component, register, make_##vector##2(Part(v.x), Part(v.y))) \
  WARPWRIGHT_ELEMENT(vector##4, component, register, make_##vector##4(Part(v.x), Part(v.y), Part(v.z), Part(v.w)))
WARPWRIGHT_ELEMENT(char, char, int, char(v.x))
WARPWRIGHT_ELEMENTS(char, signed char, int)
WARPWRIGHT_ELEMENTS(uchar, unsigned char, unsigned int)
WARPWRIGHT_ELEMENTS(short, short, int)
WARPWRIGHT_ELEMENTS(ushort, unsigned short, unsigned int)
WARPWRIGHT_ELEMENTS(int, int, int)
WARPWRIGHT_ELEMENTS(uint, unsigned int, unsigned int)
WARPWRIGHT_ELEMENTS(float, float, float)
#undef WARPWRIGHT_ELEMENTS
#undef WARPWRIGHT_ELEMENT

// fetch…(handle, coordinates): overloads by the type of `out`; Handle is an object or a texture reference.
#define WARPWRIGHT_FETCH(name, form, ctype, constraint, register, parameters, coordinates, ...)      \
  template <typename Handle>                                                                         \
  WARPWRIGHT_INLINE void name(Four<register>& out, Handle texture, WARPWRIGHT_UNPACK parameters) {   \
    asm(form ".v4." ctype " {%0, %1, %2, %3}, [%4, " coordinates ";"                                 \
        : "=" constraint(out.x), "=" constraint(out.y), "=" constraint(out.z), "=" constraint(out.w) \
        : "l"(texture), __VA_ARGS__);                                                                \
  }
#define WARPWRIGHT_UNPACK(...) __VA_ARGS__
#define WARPWRIGHT_FETCHES(name, form, ctype, parameters, coordinates, ...)                    \
  WARPWRIGHT_FETCH(name, form, "f32." ctype, "f", float, parameters, coordinates, __VA_ARGS__) \
  WARPWRIGHT_FETCH(name, form, "s32." ctype, "r", int, parameters, coordinates, __VA_ARGS__)   \
  WARPWRIGHT_FETCH(name, form, "u32." ctype, "r", unsigned int, parameters, coordinates, __VA_ARGS__)

WARPWRIGHT_FETCHES(fetchLinear, "tex.1d", "s32", (int x), "{%5}]", "r"(x))
WARPWRIGHT_FETCHES(fetch1D, "tex.1d", "f32", (float x), "{%5}]", "f"(x))
WARPWRIGHT_FETCHES(fetch2D, "tex.2d", "f32", (float x, float y), "{%5, %6}]", "f"(x), "f"(y))
WARPWRIGHT_FETCHES(fetch3D, "tex.3d", "f32", (float x, float y, float z), "{%5, %6, %7, %7}]", "f"(x), "f"(y), "f"(z))
WARPWRIGHT_FETCHES(fetchCube, "tex.cube", "f32", (float x, float y, float z), "{%5, %6, %7, %7}]", "f"(x), "f"(y), "f"(z))
WARPWRIGHT_FETCHES(fetch1DLayered, "tex.a1d", "f32", (float x, int layer), "{%5, %6}]", "r"(layer), "f"(x))
WARPWRIGHT_FETCHES(fetch2DLayered, "tex.a2d", "f32", (float x, float y, int layer), "{%5, %6, %7, %7}]", "r"(layer), "f"(x), "f"(y))
WARPWRIGHT_FETCHES(fetchCubeLayered, "tex.acube", "f32", (float x, float y, float z, int layer), "{%5, %6, %7, %8}]", "r"(layer), "f"(x),
                   "f"(y), "f"(z))
WARPWRIGHT_FETCHES(level1D, "tex.level.1d", "f32", (float x, float level), "{%5}], %6", "f"(x), "f"(level))
WARPWRIGHT_FETCHES(level2D, "tex.level.2d", "f32", (float x, float y, float level), "{%5, %6}], %7", "f"(x), "f"(y), "f"(level))
WARPWRIGHT_FETCHES(level3D, "tex.level.3d", "f32", (float x, float y, float z, float level), "{%5, %6, %7, %7}], %8", "f"(x), "f"(y),
                   "f"(z), "f"(level))
WARPWRIGHT_FETCHES(level2DLayered, "tex.level.a2d", "f32", (float x, float y, int layer, float level), "{%5, %6, %7, %7}], %8", "r"(layer),
                   "f"(x), "f"(y), "f"(level))
WARPWRIGHT_FETCHES(level1DLayered, "tex.level.a1d", "f32", (float x, int layer, float level), "{%5, %6}], %7", "r"(layer), "f"(x),
                   "f"(level))
WARPWRIGHT_FETCHES(gradient1D, "tex.grad.1d", "f32", (float x, float dx, float dy), "{%5}], {%6}, {%7}", "f"(x), "f"(dx), "f"(dy))
WARPWRIGHT_FETCHES(gradient1DLayered, "tex.grad.a1d", "f32", (float x, int layer, float dx, float dy), "{%5, %6}], {%7}, {%8}", "r"(layer),
                   "f"(x), "f"(dx), "f"(dy))
WARPWRIGHT_FETCHES(gradient2DLayered, "tex.grad.a2d", "f32", (float x, float y, int layer, float2 dx, float2 dy),
                   "{%5, %6, %7, %7}], {%8, %9}, {%10, %11}", "r"(layer), "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y))
WARPWRIGHT_FETCHES(gradient3D, "tex.grad.3d", "f32", (float x, float y, float z, float4 dx, float4 dy),
                   "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}", "f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z),
                   "f"(dy.x), "f"(dy.y), "f"(dy.z))
WARPWRIGHT_FETCHES(gradient2D, "tex.grad.2d", "f32", (float x, float y, float2 dx, float2 dy), "{%5, %6}], {%7, %8}, {%9, %10}", "f"(x),
                   "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y))
WARPWRIGHT_FETCHES(gatherR, "tld4.r.2d", "f32", (float x, float y), "{%5, %6}]", "f"(x), "f"(y))
WARPWRIGHT_FETCHES(gatherG, "tld4.g.2d", "f32", (float x, float y), "{%5, %6}]", "f"(x), "f"(y))
WARPWRIGHT_FETCHES(gatherB, "tld4.b.2d", "f32", (float x, float y), "{%5, %6}]", "f"(x), "f"(y))
WARPWRIGHT_FETCHES(gatherA, "tld4.a.2d", "f32", (float x, float y), "{%5, %6}]", "f"(x), "f"(y))

#undef WARPWRIGHT_FETCHES
#undef WARPWRIGHT_UNPACK
#undef WARPWRIGHT_FETCH

template <typename Register, typename Handle>
WARPWRIGHT_INLINE Four<Register> gather2D(Handle texture, float x, float y, int component) {
  Four<Register> v;
  if (component == 0)
    gatherR(v, texture, x, y);
  else if (component == 1)
    gatherG(v, texture, x, y);
  else if (component == 2)
    gatherB(v, texture, x, y);
  else
    gatherA(v, texture, x, y);
  return v;
}

}  // namespace warpwright_texture
