//--blockDim=256 --gridDim=[*,1,1]
__global__ void nchw(const float *in, float *out, int n, int channels, int height, int width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n * channels * height * width)
        return;
    int x = i % width, y = i / width % height, c = i / (width * height) % channels, b = i / (width * height * channels);
    out[((b * «height¦1» + y) * width + x) * channels + «c¦0»] = in[i];
}
