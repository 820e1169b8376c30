//--local_size=*,1,1 --num_groups=*,1,1
__kernel void bitonic_step(__global int *data, uint j, uint k) {
    __requires(j == 1 | j == 2 | j == 4 | j == 8 | j == 16 | j == 32 | j == 64 | j == 128);
    uint i = get_global_id(0);
    uint p = i ^ «j¦(j + 1)»;
    if («p > i¦p != i») {
        int up = (i & k) == 0;
        int a = data[i], b = data[p];
        if ((a > b) == up) {
            data[i] = b;
            data[p] = a;
        }
    }
}
