// The program of [tune.convolution]: each output is the sum of filter × filter products; a block
// computes block_size times tile_size outputs in each direction. contexts/gpu/stencil.eventb has the model of it.
#ifndef width
#define width 4096
#define height 4096
#define filter 15
#endif
#define halo (filter - 1)
#define tile_width (BLOCK_SIZE_X * TILE_SIZE_X)
#define tile_height (BLOCK_SIZE_Y * TILE_SIZE_Y)
#define checked (width % tile_width != 0 || height % tile_height != 0)
#define row (tile_width + halo + USE_PADDING * (((tile_width + halo) * 31 + BLOCK_SIZE_X) % 32))
#define grid(n, tile) (((n) + (tile)-1) / (tile))

// The image has its border around it.
#define image_width (width + halo)
#define image_height (height + halo)

__device__ int launch[4] = {grid(width, tile_width), grid(height, tile_height), BLOCK_SIZE_X, BLOCK_SIZE_Y};
__device__ long long bytes[2] = {4LL * image_width * image_height, 4LL * width * height};

// Coefficients that no compiler can tell apart from any others.
__constant__ float coefficient[filter * filter] = {
#define five(i) 1.0f / (i + 3), -0.5f / (i + 2), 0.25f + i, 0.125f * i, 1.0f - 0.01f * i
#define fifteen(i) five(i), five(i + 5), five(i + 10)
    fifteen(0), fifteen(15), fifteen(30), fifteen(45), fifteen(60), fifteen(75), fifteen(90), fifteen(105),
    fifteen(120), fifteen(135), fifteen(150), fifteen(165), fifteen(180), fifteen(195), fifteen(210)};

__device__ float read(const float *in, int x, int y)
{
    if (checked && (x >= image_width || y >= image_height))
        return 0;
#if READ_ONLY
    return __ldg(&in[y * image_width + x]);
#else
    return in[y * image_width + x];
#endif
}

extern "C" __global__ void run(const float *in, float *out)
{
    int left = blockIdx.x * tile_width, top = blockIdx.y * tile_height;
    int x = threadIdx.x, y = threadIdx.y;
#if USE_SHMEM
    __shared__ float tile[tile_height + halo][row];
#pragma unroll
    for (int i = y; i < tile_height + halo; i += BLOCK_SIZE_Y)
#pragma unroll
        for (int j = x; j < tile_width + halo; j += BLOCK_SIZE_X)
            tile[i][j] = read(in, left + j, top + i);
    __syncthreads();
#define element(j, i) tile[i][j]
#else
#define element(j, i) read(in, left + (j), top + (i))
#endif
    float sum[TILE_SIZE_Y][TILE_SIZE_X] = {};
#pragma unroll
    for (int i = 0; i < filter; i++)
#pragma unroll
        for (int j = 0; j < filter; j++)
#pragma unroll
            for (int b = 0; b < TILE_SIZE_Y; b++)
#pragma unroll
                for (int a = 0; a < TILE_SIZE_X; a++)
                    sum[b][a] += element(x + j + a * BLOCK_SIZE_X, y + i + b * BLOCK_SIZE_Y) * coefficient[i * filter + j];
#pragma unroll
    for (int b = 0; b < TILE_SIZE_Y; b++)
#pragma unroll
        for (int a = 0; a < TILE_SIZE_X; a++) {
            int to_x = left + x + a * BLOCK_SIZE_X, to_y = top + y + b * BLOCK_SIZE_Y;
            if (!checked || (to_x < width && to_y < height))
                out[to_y * width + to_x] = sum[b][a];
        }
}

extern "C" __global__ void wrong(const float *in, const float *out, int *count)
{
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < width * height; k += gridDim.x * blockDim.x) {
        float sum = 0, size = 0;
        for (int i = 0; i < filter; i++)
            for (int j = 0; j < filter; j++) {
                float term = in[(k / width + i) * image_width + k % width + j] * coefficient[i * filter + j];
                sum += term;
                size += fabsf(term);
            }
        if (!(fabsf(out[k] - sum) <= 1e-5f * size))
            atomicAdd(&count[0], 1);
        else if (k == 0)
            count[1] = 2;
    }
}
