;; Late interaction over vectors of tokens (token-index.ts). Compiled to maxsim.wasm by scripts/kernels.mjs. No relaxed
;; instructions, so every machine gives the same bits.
(module
  (import "kernel" "memory" (memory 1))

  ;; For each of four query vectors the highest of its products with `count` rows: out[i] = max of float32(sum of row * query) * scale.
  ;; rows: int8, `width` a row, a multiple of 16; scales: float32, one a row; queries: int16, of each vector eight numbers by
  ;; turns; out: four float32. Integer sums must not overflow.
  (func (export "highest") (param $row i32) (param $count i32) (param $width i32) (param $scale i32) (param $queries i32) (param $out i32)
    (local $end i32) (local $q i32) (local $part v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $highest v128)
    (local.set $highest (f32x4.splat (f32.const -inf)))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $q (local.get $queries))
        (local.set $end (i32.add (local.get $row) (local.get $width)))
        (local.set $a (v128.const i64x2 0 0))
        (local.set $b (v128.const i64x2 0 0))
        (local.set $c (v128.const i64x2 0 0))
        (local.set $d (v128.const i64x2 0 0))
        (loop $column
          (local.set $part (v128.load8x8_s (local.get $row)))
          (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s (local.get $part) (v128.load (local.get $q)))))
          (local.set $b (i32x4.add (local.get $b) (i32x4.dot_i16x8_s (local.get $part) (v128.load offset=16 (local.get $q)))))
          (local.set $c (i32x4.add (local.get $c) (i32x4.dot_i16x8_s (local.get $part) (v128.load offset=32 (local.get $q)))))
          (local.set $d (i32x4.add (local.get $d) (i32x4.dot_i16x8_s (local.get $part) (v128.load offset=48 (local.get $q)))))
          (local.set $part (v128.load8x8_s offset=8 (local.get $row)))
          (local.set $a (i32x4.add (local.get $a) (i32x4.dot_i16x8_s (local.get $part) (v128.load offset=64 (local.get $q)))))
          (local.set $b (i32x4.add (local.get $b) (i32x4.dot_i16x8_s (local.get $part) (v128.load offset=80 (local.get $q)))))
          (local.set $c (i32x4.add (local.get $c) (i32x4.dot_i16x8_s (local.get $part) (v128.load offset=96 (local.get $q)))))
          (local.set $d (i32x4.add (local.get $d) (i32x4.dot_i16x8_s (local.get $part) (v128.load offset=112 (local.get $q)))))
          (local.set $q (i32.add (local.get $q) (i32.const 128)))
          (br_if $column (i32.lt_u (local.tee $row (i32.add (local.get $row) (i32.const 16))) (local.get $end))))
        (local.set $highest (f32x4.max (local.get $highest) (f32x4.mul
          (f32x4.convert_i32x4_s (call $each (local.get $a) (local.get $b) (local.get $c) (local.get $d)))
          (v128.load32_splat (local.get $scale)))))
        (local.set $scale (i32.add (local.get $scale) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $next)))
    (v128.store (local.get $out) (local.get $highest)))

  ;; The sums of the lanes of four vectors.
  (func $each (param $a v128) (param $b v128) (param $c v128) (param $d v128) (result v128)
    (local.set $a (i32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $a) (local.get $b))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $a) (local.get $b))))
    (local.set $c (i32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $c) (local.get $d))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $c) (local.get $d))))
    (i32x4.add
      (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $a) (local.get $c))
      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $a) (local.get $c)))))
