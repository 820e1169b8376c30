//--local_size=[*,1,1] --num_groups=[*,1,1]
__kernel void chunk(__global int *a, uint per, uint n) {
    uint first = get_global_id(0) * per, last = min(first + per, n);
    __requires(per < 1000);
    __requires(get_global_size(0) < 1000000);
    for (uint i = first; i «<¦<=» last; i++)
        a[«i¦i ^ 1»] += 1;
}
