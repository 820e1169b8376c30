//--blockDim=64 --gridDim=[*,1,1]
//run block 64 grid 2 values 2 3 4 5
__global__ void to_channels_last(const float *from, float *to, int images, int planes, int height, int width) {
    int rest = blockIdx.x * blockDim.x + threadIdx.x;
    if (rest >= images * planes * height * width) return;
    float v = from[rest];
    int x = rest % width;
    rest /= width;
    int y = rest % height;
    rest /= height;
    int p = rest % planes;
    int image = rest / planes;
    to[((image * height + y) * «width¦planes» + x) * planes + «p¦y % planes»] = v;
}
