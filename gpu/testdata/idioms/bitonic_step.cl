//--local_size=*,1,1 --num_groups=*,1,1
__kernel void bitonic_step(__global int *data, uint j, uint k) {
    uint i = get_global_id(0);
    uint p = i ^ «j¦(j + i % 2)»;
    if («p > i¦p != i») {
        int up = (i & k) == 0;
        int a = data[i], b = data[p];
        if ((a > b) == up) {
            data[i] = b;
            data[p] = a;
        }
    }
}
