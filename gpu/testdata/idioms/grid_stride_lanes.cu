//--blockDim=[*,1,1] --gridDim=[*,1,1]
__global__ void grid_stride_lanes(float4 *y, const float4 *x, int n) {
    int threads = gridDim.x * blockDim.x;
    for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < n / 4; i += «threads¦threads / 2») {
        float4 v = x[i];
        v.x += 1; v.y += 1; v.z += 1; v.w += 1;
        y[«i¦i % 16»] = v;
    }
}
