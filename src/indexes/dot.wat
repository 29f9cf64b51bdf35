;; Dot products for exact search (vectors.ts). Compiled to dot.wasm by scripts/kernels.mjs. No relaxed instructions, so
;; every machine gives the same bits.
(module
  (import "kernel" "memory" (memory 1))

  ;; Integer dot products of one query with every row: out[r] = sum of (rows[r][i] - 128) * query[i].
  ;; rows: uint8, `width` a row, a multiple of 16; query: int16; out: int32. Bytes stand for themselves less 128: taken as
  ;; pairs, one `and` and one shift make int16 of them, and what the 128s add is the same for every row.
  ;; query: of each sixteen places the even ones first, then the odd ones, as they come out of the pairs.
  ;; Four rows at a time, one of each quarter of the rows: a processor reads ahead in several places, but not far in one.
  (func (export "scan") (param $rows i32) (param $count i32) (param $width i32) (param $query i32) (param $out i32)
    (local $quarter i32) (local $end i32) (local $q i32) (local $qEnd i32) (local $bytes v128) (local $none v128)
    (local $x v128) (local $even v128) (local $odd v128)
    (local $row1 i32) (local $row2 i32) (local $row3 i32) (local $to1 i32) (local $to2 i32) (local $to3 i32)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local.set $bytes (v128.const i16x8 255 255 255 255 255 255 255 255))
    (local.set $none (call $bias (local.get $query) (local.get $width) (i32.const 32)))
    (local.set $quarter (i32.shr_u (local.get $count) (i32.const 2)))
    (local.set $to1 (i32.shl (local.get $quarter) (i32.const 2)))
    (local.set $to2 (i32.shl (local.get $quarter) (i32.const 3)))
    (local.set $to3 (i32.add (local.get $to1) (local.get $to2)))
    (local.set $quarter (i32.mul (local.get $quarter) (local.get $width)))
    (local.set $end (i32.add (local.get $rows) (local.get $quarter)))
    (local.set $row1 (local.get $end))
    (local.set $row2 (i32.add (local.get $row1) (local.get $quarter)))
    (local.set $row3 (i32.add (local.get $row2) (local.get $quarter)))
    (local.set $qEnd (i32.add (local.get $query) (i32.shl (local.get $width) (i32.const 1))))
    (block $done
      (loop $row
        (br_if $done (i32.ge_u (local.get $rows) (local.get $end)))
        (local.set $q (local.get $query))
        (local.set $sum0 (local.get $none))
        (local.set $sum1 (local.get $none))
        (local.set $sum2 (local.get $none))
        (local.set $sum3 (local.get $none))
        (loop $column
          (local.set $even (v128.load (local.get $q)))
          (local.set $odd (v128.load offset=16 (local.get $q)))
          (local.set $x (v128.load (local.get $rows)))
          (local.set $sum0 (i32x4.add (local.get $sum0) (i32x4.add
            (i32x4.dot_i16x8_s (v128.and (local.get $x) (local.get $bytes)) (local.get $even))
            (i32x4.dot_i16x8_s (i16x8.shr_u (local.get $x) (i32.const 8)) (local.get $odd)))))
          (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
          (local.set $x (v128.load (local.get $row1)))
          (local.set $sum1 (i32x4.add (local.get $sum1) (i32x4.add
            (i32x4.dot_i16x8_s (v128.and (local.get $x) (local.get $bytes)) (local.get $even))
            (i32x4.dot_i16x8_s (i16x8.shr_u (local.get $x) (i32.const 8)) (local.get $odd)))))
          (local.set $row1 (i32.add (local.get $row1) (i32.const 16)))
          (local.set $x (v128.load (local.get $row2)))
          (local.set $sum2 (i32x4.add (local.get $sum2) (i32x4.add
            (i32x4.dot_i16x8_s (v128.and (local.get $x) (local.get $bytes)) (local.get $even))
            (i32x4.dot_i16x8_s (i16x8.shr_u (local.get $x) (i32.const 8)) (local.get $odd)))))
          (local.set $row2 (i32.add (local.get $row2) (i32.const 16)))
          (local.set $x (v128.load (local.get $row3)))
          (local.set $sum3 (i32x4.add (local.get $sum3) (i32x4.add
            (i32x4.dot_i16x8_s (v128.and (local.get $x) (local.get $bytes)) (local.get $even))
            (i32x4.dot_i16x8_s (i16x8.shr_u (local.get $x) (i32.const 8)) (local.get $odd)))))
          (local.set $row3 (i32.add (local.get $row3) (i32.const 16)))
          (local.set $q (i32.add (local.get $q) (i32.const 32)))
          (br_if $column (i32.lt_u (local.get $q) (local.get $qEnd))))
        (i32.store (local.get $out) (call $lanes (local.get $sum0)))
        (i32.store (i32.add (local.get $out) (local.get $to1)) (call $lanes (local.get $sum1)))
        (i32.store (i32.add (local.get $out) (local.get $to2)) (call $lanes (local.get $sum2)))
        (i32.store (i32.add (local.get $out) (local.get $to3)) (call $lanes (local.get $sum3)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $row)))
    ;; At most three rows are left behind the quarters.
    (local.set $out (i32.add (local.get $out) (local.get $to3)))
    (local.set $rows (local.get $row3))
    (local.set $end (i32.add (local.get $rows) (i32.mul (i32.and (local.get $count) (i32.const 3)) (local.get $width))))
    (block $over
      (loop $last
        (br_if $over (i32.ge_u (local.get $rows) (local.get $end)))
        (local.set $q (local.get $query))
        (local.set $sum0 (local.get $none))
        (loop $column
          (local.set $x (v128.load (local.get $rows)))
          (local.set $sum0 (i32x4.add (local.get $sum0) (i32x4.add
            (i32x4.dot_i16x8_s (v128.and (local.get $x) (local.get $bytes)) (v128.load (local.get $q)))
            (i32x4.dot_i16x8_s (i16x8.shr_u (local.get $x) (i32.const 8)) (v128.load offset=16 (local.get $q))))))
          (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
          (local.set $q (i32.add (local.get $q) (i32.const 32)))
          (br_if $column (i32.lt_u (local.get $q) (local.get $qEnd))))
        (i32.store (local.get $out) (call $lanes (local.get $sum0)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $last))))

  ;; Minus 128 times the sum of a query, in the lanes of a sum; each sixteen of its places `step` bytes after the last.
  (func $bias (param $query i32) (param $width i32) (param $step i32) (result v128)
    (local $of v128) (local $sum v128)
    (local.set $of (v128.const i16x8 -128 -128 -128 -128 -128 -128 -128 -128))
    (loop $column
      (local.set $sum (i32x4.add (local.get $sum) (i32x4.add
        (i32x4.dot_i16x8_s (v128.load (local.get $query)) (local.get $of))
        (i32x4.dot_i16x8_s (v128.load offset=16 (local.get $query)) (local.get $of)))))
      (local.set $query (i32.add (local.get $query) (local.get $step)))
      (br_if $column (local.tee $width (i32.sub (local.get $width) (i32.const 16)))))
    (local.get $sum))

  ;; Of each sixteen rows the highest share * score: out[g] = max of shares[r] * scores[r] for 16 g <= r < 16 g + 16.
  ;; scores: int32; shares, out: f32.
  (func (export "peaks") (param $shares i32) (param $scores i32) (param $groups i32) (param $out i32)
    (local $end i32) (local $most v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $groups) (i32.const 2))))
    (block $done
      (loop $group
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $most (f32x4.pmax
          (f32x4.pmax
            (f32x4.mul (v128.load (local.get $shares)) (f32x4.convert_i32x4_s (v128.load (local.get $scores))))
            (f32x4.mul (v128.load offset=16 (local.get $shares))
              (f32x4.convert_i32x4_s (v128.load offset=16 (local.get $scores)))))
          (f32x4.pmax
            (f32x4.mul (v128.load offset=32 (local.get $shares))
              (f32x4.convert_i32x4_s (v128.load offset=32 (local.get $scores))))
            (f32x4.mul (v128.load offset=48 (local.get $shares))
              (f32x4.convert_i32x4_s (v128.load offset=48 (local.get $scores)))))))
        (local.set $most (f32x4.pmax (local.get $most)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $most) (local.get $most))))
        (local.set $most (f32x4.pmax (local.get $most)
          (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11 (local.get $most) (local.get $most))))
        (v128.store32_lane 0 (local.get $out) (local.get $most))
        (local.set $shares (i32.add (local.get $shares) (i32.const 64)))
        (local.set $scores (i32.add (local.get $scores) (i32.const 64)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $group))))

  ;; `scan` for four queries, reading each row once: out[q][r]. queries: sixteen places of each, then the next sixteen.
  (func (export "scan4") (param $rows i32) (param $count i32) (param $width i32) (param $queries i32) (param $out i32)
    (local $end i32) (local $rowEnd i32) (local $q i32) (local $bytes v128) (local $even v128) (local $odd v128)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)
    (local $none0 v128) (local $none1 v128) (local $none2 v128) (local $none3 v128)
    (local $to1 i32) (local $to2 i32) (local $to3 i32)
    (local.set $bytes (v128.const i16x8 255 255 255 255 255 255 255 255))
    (local.set $none0 (call $bias (local.get $queries) (local.get $width) (i32.const 128)))
    (local.set $none1 (call $bias (i32.add (local.get $queries) (i32.const 32)) (local.get $width) (i32.const 128)))
    (local.set $none2 (call $bias (i32.add (local.get $queries) (i32.const 64)) (local.get $width) (i32.const 128)))
    (local.set $none3 (call $bias (i32.add (local.get $queries) (i32.const 96)) (local.get $width) (i32.const 128)))
    (local.set $end (i32.add (local.get $rows) (i32.mul (local.get $count) (local.get $width))))
    (local.set $to1 (i32.mul (local.get $count) (i32.const 4)))
    (local.set $to2 (i32.mul (local.get $count) (i32.const 8)))
    (local.set $to3 (i32.mul (local.get $count) (i32.const 12)))
    (block $done
      (loop $row
        (br_if $done (i32.ge_u (local.get $rows) (local.get $end)))
        (local.set $rowEnd (i32.add (local.get $rows) (local.get $width)))
        (local.set $q (local.get $queries))
        (local.set $sum0 (local.get $none0))
        (local.set $sum1 (local.get $none1))
        (local.set $sum2 (local.get $none2))
        (local.set $sum3 (local.get $none3))
        (loop $column
          (local.set $even (v128.load (local.get $rows)))
          (local.set $odd (i16x8.shr_u (local.get $even) (i32.const 8)))
          (local.set $even (v128.and (local.get $even) (local.get $bytes)))
          (local.set $sum0 (i32x4.add (local.get $sum0) (i32x4.add
            (i32x4.dot_i16x8_s (local.get $even) (v128.load (local.get $q)))
            (i32x4.dot_i16x8_s (local.get $odd) (v128.load offset=16 (local.get $q))))))
          (local.set $sum1 (i32x4.add (local.get $sum1) (i32x4.add
            (i32x4.dot_i16x8_s (local.get $even) (v128.load offset=32 (local.get $q)))
            (i32x4.dot_i16x8_s (local.get $odd) (v128.load offset=48 (local.get $q))))))
          (local.set $sum2 (i32x4.add (local.get $sum2) (i32x4.add
            (i32x4.dot_i16x8_s (local.get $even) (v128.load offset=64 (local.get $q)))
            (i32x4.dot_i16x8_s (local.get $odd) (v128.load offset=80 (local.get $q))))))
          (local.set $sum3 (i32x4.add (local.get $sum3) (i32x4.add
            (i32x4.dot_i16x8_s (local.get $even) (v128.load offset=96 (local.get $q)))
            (i32x4.dot_i16x8_s (local.get $odd) (v128.load offset=112 (local.get $q))))))
          (local.set $q (i32.add (local.get $q) (i32.const 128)))
          (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
          (br_if $column (i32.lt_u (local.get $rows) (local.get $rowEnd))))
        (i32.store (local.get $out) (call $lanes (local.get $sum0)))
        (i32.store (i32.add (local.get $out) (local.get $to1)) (call $lanes (local.get $sum1)))
        (i32.store (i32.add (local.get $out) (local.get $to2)) (call $lanes (local.get $sum2)))
        (i32.store (i32.add (local.get $out) (local.get $to3)) (call $lanes (local.get $sum3)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $row))))

  (func $lanes (param $sum v128) (result i32)
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))

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
