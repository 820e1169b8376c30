//--blockDim=256 --gridDim=[*,1,1]
//run block 256 grid 2 values 700
__global__ void clip(float *v, float *w, int n) {
    const unsigned step = gridDim.x * blockDim.x;
    int i = threadIdx.x + blockIdx.x * «256¦128»;
    while (i < n) {
        v[i] = v[i] > 1 ? 1 : v[i];
        w[i] = v[«i¦i + 1»];
        i += step;
    }
}
