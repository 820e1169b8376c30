//--blockDim=[*,1,1] --gridDim=[*,1,1]
__global__ void spin_lock(int *lock, int *total, const int *in) {
    int x = in[blockIdx.x * blockDim.x + threadIdx.x];
    bool done = false;
    while (!done) {
        if («atomicCAS(lock, 0, 1) == 0¦*lock == 0») {
            «__threadfence();¦»
            *total += x;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
