;; A sparse matrix times sixteen dense columns, in float64 (sparse.ts). Compiled to sparse.wasm by scripts/kernels.mjs.
;; No relaxed instructions, so every machine gives the same bits.
(module
  (import "kernel" "memory" (memory 1))

  ;; out[r] = sum over at, offsets[r] <= at < offsets[r + 1], of values[at] * x[indices[at]], summed in stored order.
  ;; offsets, indices: uint32; values: float64; x, out: rows of 16 float64.
  (func (export "times16")
    (param $rows i32) (param $offsets i32) (param $indices i32) (param $values i32) (param $x i32) (param $out i32)
    (local $index i32) (local $value i32) (local $end i32) (local $from i32) (local $v v128)
    (local $s0 v128) (local $s1 v128) (local $s2 v128) (local $s3 v128)
    (local $s4 v128) (local $s5 v128) (local $s6 v128) (local $s7 v128)
    (local.set $index (i32.add (local.get $indices) (i32.mul (i32.load (local.get $offsets)) (i32.const 4))))
    (local.set $value (i32.add (local.get $values) (i32.mul (i32.load (local.get $offsets)) (i32.const 8))))
    (block $done
      (loop $row
        (br_if $done (i32.eqz (local.get $rows)))
        (local.set $end (i32.add (local.get $indices) (i32.mul (i32.load offset=4 (local.get $offsets)) (i32.const 4))))
        (local.set $s0 (v128.const i64x2 0 0))
        (local.set $s1 (v128.const i64x2 0 0))
        (local.set $s2 (v128.const i64x2 0 0))
        (local.set $s3 (v128.const i64x2 0 0))
        (local.set $s4 (v128.const i64x2 0 0))
        (local.set $s5 (v128.const i64x2 0 0))
        (local.set $s6 (v128.const i64x2 0 0))
        (local.set $s7 (v128.const i64x2 0 0))
        (block $summed
          (loop $sum
            (br_if $summed (i32.ge_u (local.get $index) (local.get $end)))
            (local.set $v (v128.load64_splat (local.get $value)))
            (local.set $from (i32.add (local.get $x) (i32.shl (i32.load (local.get $index)) (i32.const 7))))
            (local.set $s0 (f64x2.add (local.get $s0) (f64x2.mul (local.get $v) (v128.load (local.get $from)))))
            (local.set $s1 (f64x2.add (local.get $s1) (f64x2.mul (local.get $v) (v128.load offset=16 (local.get $from)))))
            (local.set $s2 (f64x2.add (local.get $s2) (f64x2.mul (local.get $v) (v128.load offset=32 (local.get $from)))))
            (local.set $s3 (f64x2.add (local.get $s3) (f64x2.mul (local.get $v) (v128.load offset=48 (local.get $from)))))
            (local.set $s4 (f64x2.add (local.get $s4) (f64x2.mul (local.get $v) (v128.load offset=64 (local.get $from)))))
            (local.set $s5 (f64x2.add (local.get $s5) (f64x2.mul (local.get $v) (v128.load offset=80 (local.get $from)))))
            (local.set $s6 (f64x2.add (local.get $s6) (f64x2.mul (local.get $v) (v128.load offset=96 (local.get $from)))))
            (local.set $s7 (f64x2.add (local.get $s7) (f64x2.mul (local.get $v) (v128.load offset=112 (local.get $from)))))
            (local.set $index (i32.add (local.get $index) (i32.const 4)))
            (local.set $value (i32.add (local.get $value) (i32.const 8)))
            (br $sum)))
        (v128.store (local.get $out) (local.get $s0))
        (v128.store offset=16 (local.get $out) (local.get $s1))
        (v128.store offset=32 (local.get $out) (local.get $s2))
        (v128.store offset=48 (local.get $out) (local.get $s3))
        (v128.store offset=64 (local.get $out) (local.get $s4))
        (v128.store offset=80 (local.get $out) (local.get $s5))
        (v128.store offset=96 (local.get $out) (local.get $s6))
        (v128.store offset=112 (local.get $out) (local.get $s7))
        (local.set $out (i32.add (local.get $out) (i32.const 128)))
        (local.set $offsets (i32.add (local.get $offsets) (i32.const 4)))
        (local.set $rows (i32.sub (local.get $rows) (i32.const 1)))
        (br $row)))))
