//--blockDim=128 --gridDim=[*,1,1]
//run block 128 grid 2
__global__ void fft(float2 *data) {
    __shared__ float re[256], im[256];
    int t = threadIdx.x;
    float2 *mine = data + blockIdx.x * 256;
    re[t] = mine[t].x; im[t] = mine[t].y;
    re[t + 128] = mine[t + 128].x; im[t + 128] = mine[t + 128].y;
    __syncthreads();
    for (int half = 128; half >= 1; half /= 2) {
        int pos = t % half, lo = (t / half) * «2 * half¦half» + pos, hi = lo + half;
        float ar = re[lo], ai = im[lo], br = re[hi], bi = im[hi];
        float angle = -3.14159265f * pos / half, c = cosf(angle), s = sinf(angle);
        re[lo] = ar + br; im[lo] = ai + bi;
        re[hi] = (ar - br) * c - (ai - bi) * s;
        im[hi] = (ar - br) * s + (ai - bi) * c;
        «__syncthreads();¦»
    }
    mine[t].x = re[t]; mine[t].y = im[t];
    mine[t + 128].x = re[t + 128]; mine[t + 128].y = im[t + 128];
}
