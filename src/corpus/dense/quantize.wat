;; Rows rounded for exact search (vectors.ts), in the memory of dot.wat. Compiled to quantize.wasm by scripts/kernels.mjs.
(module
  (import "kernel" "memory" (memory 1))

  ;; Rows as integers (quantize.ts): q[i] = x[i] / scale to the nearest whole number, where scale = (largest size of a
  ;; component) / 127; sizes[r] = the longer of |x| and |scale * q|, errors[r] = |x - scale * q|. Two rows share int16s,
  ;; which are 0 before: 128 + first[i] + 256 * second[i].
  ;; rows: f32, `width` a row; pairs: int16, `width` a pair; scales, sizes, errors: f64. A row with a number that is not
  ;; finite has a scale that is not finite either.
  (func (export "quantize") (param $rows i32) (param $count i32) (param $width i32) (param $pairs i32)
    (param $scales i32) (param $sizes i32) (param $errors i32)
    (local $end i32) (local $at i32) (local $rowEnd i32) (local $largest f32) (local $scale v128) (local $inverse v128)
    (local $x v128) (local $q v128) (local $y v128) (local $z v128)
    (local $length v128) (local $rounded v128) (local $error v128) (local $second i32)
    (local.set $width (i32.shl (local.get $width) (i32.const 2)))
    (local.set $end (i32.add (local.get $rows) (i32.mul (local.get $count) (local.get $width))))
    (block $done
      (loop $row
        (br_if $done (i32.ge_u (local.get $rows) (local.get $end)))
        (local.set $rowEnd (i32.add (local.get $rows) (local.get $width)))
        (local.set $x (v128.const i64x2 0 0))
        (local.set $at (local.get $rows))
        (loop $size
          (local.set $x (f32x4.max (local.get $x) (f32x4.abs (v128.load (local.get $at)))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $size (i32.lt_u (local.get $at) (local.get $rowEnd))))
        (local.set $largest (f32.max
          (f32.max (f32x4.extract_lane 0 (local.get $x)) (f32x4.extract_lane 1 (local.get $x)))
          (f32.max (f32x4.extract_lane 2 (local.get $x)) (f32x4.extract_lane 3 (local.get $x)))))
        (local.set $scale (f64x2.splat (f64.div (f64.promote_f32 (local.get $largest)) (f64.const 127))))
        (local.set $inverse (f32x4.splat (f32.div (f32.const 127) (local.get $largest))))
        (local.set $length (v128.const i64x2 0 0))
        (local.set $rounded (v128.const i64x2 0 0))
        (local.set $error (v128.const i64x2 0 0))
        (loop $column
          (local.set $x (v128.load (local.get $rows)))
          ;; 127 / largest may overflow; 0 times that is NaN, which becomes 0.
          (local.set $q (i32x4.trunc_sat_f32x4_s (f32x4.nearest (f32x4.max (f32x4.min
            (f32x4.mul (local.get $x) (local.get $inverse))
            (f32x4.splat (f32.const 127))) (f32x4.splat (f32.const -127))))))
          (v128.store64_lane 0 (local.get $pairs) (i16x8.add (v128.load64_zero (local.get $pairs))
            (i16x8.add
              (i16x8.shl
                (i16x8.narrow_i32x4_s (local.get $q) (local.get $q))
                (i32.shl (local.get $second) (i32.const 3)))
              (i16x8.splat (i32.shl (i32.eqz (local.get $second)) (i32.const 7))))))
          (local.set $pairs (i32.add (local.get $pairs) (i32.const 8)))
          (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
          (local.set $y (f64x2.mul (local.get $scale) (f64x2.convert_low_i32x4_s (local.get $q))))
          (local.set $z (f64x2.promote_low_f32x4 (local.get $x)))
          (local.set $rounded (f64x2.add (local.get $rounded) (f64x2.mul (local.get $y) (local.get $y))))
          (local.set $length (f64x2.add (local.get $length) (f64x2.mul (local.get $z) (local.get $z))))
          (local.set $y (f64x2.sub (local.get $z) (local.get $y)))
          (local.set $error (f64x2.add (local.get $error) (f64x2.mul (local.get $y) (local.get $y))))
          ;; The other two.
          (local.set $q (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $q) (local.get $q)))
          (local.set $x (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $x) (local.get $x)))
          (local.set $y (f64x2.mul (local.get $scale) (f64x2.convert_low_i32x4_s (local.get $q))))
          (local.set $z (f64x2.promote_low_f32x4 (local.get $x)))
          (local.set $rounded (f64x2.add (local.get $rounded) (f64x2.mul (local.get $y) (local.get $y))))
          (local.set $length (f64x2.add (local.get $length) (f64x2.mul (local.get $z) (local.get $z))))
          (local.set $y (f64x2.sub (local.get $z) (local.get $y)))
          (local.set $error (f64x2.add (local.get $error) (f64x2.mul (local.get $y) (local.get $y))))
          (br_if $column (i32.lt_u (local.get $rows) (local.get $rowEnd))))
        (f64.store (local.get $scales) (f64x2.extract_lane 0 (local.get $scale)))
        (f64.store (local.get $sizes)
          (f64.sqrt (f64.max (call $pair (local.get $length)) (call $pair (local.get $rounded)))))
        (f64.store (local.get $errors) (f64.sqrt (call $pair (local.get $error))))
        (local.set $scales (i32.add (local.get $scales) (i32.const 8)))
        (local.set $sizes (i32.add (local.get $sizes) (i32.const 8)))
        (local.set $errors (i32.add (local.get $errors) (i32.const 8)))
        ;; The second row of a pair goes where the first one went.
        (local.set $second (i32.eqz (local.get $second)))
        (local.set $pairs (i32.sub (local.get $pairs)
          (i32.mul (local.get $second) (i32.shr_u (local.get $width) (i32.const 1)))))
        (br $row))))

  (func $pair (param $sum v128) (result f64)
    (f64.add (f64x2.extract_lane 0 (local.get $sum)) (f64x2.extract_lane 1 (local.get $sum)))))
