//--local_size=*,1,1 --num_groups=1
__kernel void odd_even(__local int *a, int n) {
    int t = get_local_id(0);
    for (int r = 0; r < n; r++) {
        int i = 2 * t + (r & 1);
        if (i + 1 < n && a[i] > a[i + 1]) {
            int x = a[i];
            a[i] = a[i + 1];
            a[i + «1¦2»] = x;
        }
        «barrier(CLK_LOCAL_MEM_FENCE);¦»
    }
}
