;; Dot products for exact search (vectors.ts). Compiled to dot.wasm by scripts/kernels.mjs. No relaxed instructions, so
;; every machine gives the same bits.
(module
  (import "kernel" "memory" (memory 1))

  ;; The float32 dot product in lane order: sixteen running sums, sum l over the places i with i mod 16 = l, added as
  ;; s = (sums 0-3 + sums 4-7) + (sums 8-11 + sums 12-15), then (s0 + s1) + (s2 + s3). `width` is a multiple of 16.
  (func $dot (param $a i32) (param $b i32) (param $width i32) (result f32)
    (local $end i32) (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local.set $end (i32.add (local.get $a) (i32.mul (local.get $width) (i32.const 4))))
    (loop $column
      (local.set $sum0 (f32x4.add (local.get $sum0)
        (f32x4.mul (v128.load (local.get $a)) (v128.load (local.get $b)))))
      (local.set $sum1 (f32x4.add (local.get $sum1)
        (f32x4.mul (v128.load offset=16 (local.get $a)) (v128.load offset=16 (local.get $b)))))
      (local.set $sum2 (f32x4.add (local.get $sum2)
        (f32x4.mul (v128.load offset=32 (local.get $a)) (v128.load offset=32 (local.get $b)))))
      (local.set $sum3 (f32x4.add (local.get $sum3)
        (f32x4.mul (v128.load offset=48 (local.get $a)) (v128.load offset=48 (local.get $b)))))
      (local.set $a (i32.add (local.get $a) (i32.const 64)))
      (local.set $b (i32.add (local.get $b) (i32.const 64)))
      (br_if $column (i32.lt_u (local.get $a) (local.get $end))))
    (local.set $sum0 (f32x4.add
      (f32x4.add (local.get $sum0) (local.get $sum1))
      (f32x4.add (local.get $sum2) (local.get $sum3))))
    (f32.add
      (f32.add (f32x4.extract_lane 0 (local.get $sum0)) (f32x4.extract_lane 1 (local.get $sum0)))
      (f32.add (f32x4.extract_lane 2 (local.get $sum0)) (f32x4.extract_lane 3 (local.get $sum0)))))

  ;; The same with every row, for `queries` queries that stand one behind the other: out[q][r].
  (func (export "dots") (param $rows i32) (param $count i32) (param $width i32) (param $queries i32) (param $first i32)
    (param $out i32)
    (local $r i32) (local $q i32) (local $b i32) (local $bytes i32)
    (local.set $bytes (i32.mul (local.get $width) (i32.const 4)))
    (block $done
      (loop $row
        (br_if $done (i32.ge_u (local.get $r) (local.get $count)))
        (local.set $q (i32.const 0))
        (local.set $b (local.get $first))
        (block $asked
          (loop $query
            (br_if $asked (i32.ge_u (local.get $q) (local.get $queries)))
            (f32.store
              (i32.add (local.get $out) (i32.shl
                (i32.add (i32.mul (local.get $q) (local.get $count)) (local.get $r)) (i32.const 2)))
              (call $dot (local.get $rows) (local.get $b) (local.get $width)))
            (local.set $b (i32.add (local.get $b) (local.get $bytes)))
            (local.set $q (i32.add (local.get $q) (i32.const 1)))
            (br $query)))
        (local.set $rows (i32.add (local.get $rows) (local.get $bytes)))
        (local.set $r (i32.add (local.get $r) (i32.const 1)))
        (br $row))))

  ;; The same of one query with the rows whose numbers stand in `list` (u32): out[i], f32.
  (func (export "listed") (param $rows i32) (param $list i32) (param $count i32) (param $width i32) (param $query i32)
    (param $out i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $row
        (br_if $done (i32.ge_u (local.get $list) (local.get $end)))
        (f32.store (local.get $out) (call $dot
          (i32.add (local.get $rows) (i32.shl (i32.mul (i32.load (local.get $list)) (local.get $width)) (i32.const 2)))
          (local.get $query) (local.get $width)))
        (local.set $list (i32.add (local.get $list) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $row)))))
