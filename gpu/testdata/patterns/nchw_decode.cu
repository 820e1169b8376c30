//--blockDim=128 --gridDim=[*,1,1]
//run block 128 grid 2 values 1 3 4 5
__global__ void add_bias(float *data, const float *bias, int batch, int channels, int rows, int cols) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < batch * channels * rows * cols) {
        int w = at % cols;
        int h = (at / cols) % rows;
        int c = (at / (cols * rows)) % channels;
        int n = at / (cols * rows * channels);
        data[((n * channels + c) * «rows¦2» + h) * cols + «w¦w / 2»] += bias[c];
    }
}
