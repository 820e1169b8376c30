// Textures and surfaces are opaque: a texture holds one value wherever it is read
// during a launch, and nothing is known of that value. Surfaces are written, so
// their functions have no meaning here.
#ifndef GRADINE_TEXTURE_H
#define GRADINE_TEXTURE_H

template <typename __T, int __D = 1, cudaTextureReadMode __M = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  __host__ texture(int normalized = 0, cudaTextureFilterMode f = cudaFilterModePoint, cudaTextureAddressMode a = cudaAddressModeClamp);
  __host__ texture(int normalized, cudaTextureFilterMode f, cudaTextureAddressMode a, cudaChannelFormatDesc d);
};
template <typename __T, int __D = 1>
struct __attribute__((device_builtin_surface_type)) surface : public surfaceReference {
  __host__ surface();
};

template <typename __T, cudaTextureReadMode __M> struct gradine_texel { typedef __T type; };
#define GRADINE_TEXEL(__T, __F) template <> struct gradine_texel<__T, cudaReadModeNormalizedFloat> { typedef __F type; };
GRADINE_TEXEL(unsigned char, float) GRADINE_TEXEL(uchar1, float1) GRADINE_TEXEL(uchar2, float2) GRADINE_TEXEL(uchar4, float4)
GRADINE_TEXEL(signed char, float) GRADINE_TEXEL(char, float) GRADINE_TEXEL(char1, float1) GRADINE_TEXEL(char2, float2) GRADINE_TEXEL(char4, float4)
GRADINE_TEXEL(unsigned short, float) GRADINE_TEXEL(ushort1, float1) GRADINE_TEXEL(ushort2, float2) GRADINE_TEXEL(ushort4, float4)
GRADINE_TEXEL(short, float) GRADINE_TEXEL(short1, float1) GRADINE_TEXEL(short2, float2) GRADINE_TEXEL(short4, float4)
#undef GRADINE_TEXEL

#define GRADINE_READ(__F, ...)                                                                                         \
  template <typename __T> GRADINE_CONST __T __F(cudaTextureObject_t, __VA_ARGS__);                                         \
  template <typename __T> __device__ void __F(__T *, cudaTextureObject_t, __VA_ARGS__);                                    \
  template <typename __T, int __D, cudaTextureReadMode __M>                                                                \
  GRADINE_CONST typename gradine_texel<__T, __M>::type __F(texture<__T, __D, __M>, __VA_ARGS__);
GRADINE_READ(tex1Dfetch, int)
GRADINE_READ(tex1D, float)
GRADINE_READ(tex2D, float, float)
GRADINE_READ(tex3D, float, float, float)
GRADINE_READ(texCubemap, float, float, float)
GRADINE_READ(tex1DLayered, float, int)
GRADINE_READ(tex2DLayered, float, float, int)
GRADINE_READ(texCubemapLayered, float, float, float, int)
GRADINE_READ(tex1DLod, float, float)
GRADINE_READ(tex2DLod, float, float, float)
GRADINE_READ(tex3DLod, float, float, float, float)
GRADINE_READ(tex2DLayeredLod, float, float, int, float)
GRADINE_READ(texCubemapLod, float, float, float, float)
GRADINE_READ(tex2DGrad, float, float, float2, float2)
GRADINE_READ(tex3DGrad, float, float, float, float4, float4)
#undef GRADINE_READ
template <typename __T> GRADINE_CONST __T tex2Dgather(cudaTextureObject_t, float, float, int = 0);

#define GRADINE_SURFACE(__S, ...)                                                                                                    \
  template <typename __T> __device__ __T surf##__S##read(cudaSurfaceObject_t, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
  template <typename __T> __device__ void surf##__S##read(__T *, cudaSurfaceObject_t, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
  template <typename __T> __device__ void surf##__S##write(__T, cudaSurfaceObject_t, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
  template <typename __T, typename __E, int __D> __device__ void surf##__S##write(__T, surface<__E, __D>, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
  template <typename __T, typename __E, int __D> __device__ __T surf##__S##read(surface<__E, __D>, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap); \
  template <typename __T, typename __E, int __D> __device__ void surf##__S##read(__T *, surface<__E, __D>, __VA_ARGS__, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
GRADINE_SURFACE(1D, int)
GRADINE_SURFACE(2D, int, int)
GRADINE_SURFACE(3D, int, int, int)
GRADINE_SURFACE(1DLayered, int, int)
GRADINE_SURFACE(2DLayered, int, int, int)
GRADINE_SURFACE(Cubemap, int, int, int)
#undef GRADINE_SURFACE
#endif
