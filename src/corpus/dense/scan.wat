;; Integer dot products for exact search (scan.ts). Compiled to scan.wasm by scripts/kernels.mjs. No relaxed instructions, so
;; every machine gives the same bits.
(module
  (import "kernel" "memory" (memory 1))

  ;; Integer dot products of one query with every row: out[r] = sum of rows[r][i] * query[i].
  ;; pairs: of two rows the int16s 128 + first[i] + 256 * second[i], `width` a pair; `width` and the number of pairs are
  ;; multiples of 16. query: int16; out: int32. Products with an int16 and with its upper byte give both rows:
  ;;     both = sum of (128 + first + 256 * second) * query,   first = both - 256 * second - 128 * (sum of query)
  ;; `both` may overflow, which does no harm: integers are computed modulo 2^32, and `first` is within.
  ;; Four pairs at a time, one of each quarter, and of a quarter by turns from four places: a processor reads ahead in
  ;; several places, but not far in one. Sixteen bytes of each in a round: of more, not all sums would keep a register.
  (func (export "scan") (param $pairs i32) (param $count i32) (param $width i32) (param $query i32) (param $out i32)
    (local $quarter i32) (local $turns i32) (local $turn i32) (local $at i32) (local $q i32) (local $qEnd i32)
    (local $none v128) (local $x v128) (local $part v128)
    (local $both0 v128) (local $both1 v128) (local $both2 v128) (local $both3 v128)
    (local $second0 v128) (local $second1 v128) (local $second2 v128) (local $second3 v128)
    (local $pair0 i32) (local $pair1 i32) (local $pair2 i32) (local $pair3 i32)
    (local.set $width (i32.shl (local.get $width) (i32.const 1)))
    (local.set $qEnd (i32.add (local.get $query) (local.get $width)))
    (local.set $x (call $total (local.get $query) (local.get $width) (i32.const 16)))
    (local.set $none (call $each (local.get $x) (local.get $x) (local.get $x) (local.get $x)))
    (local.set $turns (i32.shr_u (local.get $count) (i32.const 2)))
    (local.set $quarter (i32.mul (local.get $turns) (local.get $width)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $turn) (local.get $turns)))
        (local.set $at (i32.add
          (i32.shr_u (local.get $turn) (i32.const 2))
          (i32.mul (i32.and (local.get $turn) (i32.const 3)) (i32.shr_u (local.get $turns) (i32.const 2)))))
        (local.set $pair0 (i32.add (local.get $pairs) (i32.mul (local.get $at) (local.get $width))))
        (local.set $pair1 (i32.add (local.get $pair0) (local.get $quarter)))
        (local.set $pair2 (i32.add (local.get $pair1) (local.get $quarter)))
        (local.set $pair3 (i32.add (local.get $pair2) (local.get $quarter)))
        (local.set $q (local.get $query))
        (local.set $both0 (v128.const i64x2 0 0))
        (local.set $both1 (v128.const i64x2 0 0))
        (local.set $both2 (v128.const i64x2 0 0))
        (local.set $both3 (v128.const i64x2 0 0))
        (local.set $second0 (v128.const i64x2 0 0))
        (local.set $second1 (v128.const i64x2 0 0))
        (local.set $second2 (v128.const i64x2 0 0))
        (local.set $second3 (v128.const i64x2 0 0))
        (loop $column
          (local.set $part (v128.load (local.get $q)))
          (local.set $x (v128.load (local.get $pair0)))
          (local.set $both0 (i32x4.add (local.get $both0) (i32x4.dot_i16x8_s (local.get $x) (local.get $part))))
          (local.set $second0 (i32x4.add (local.get $second0)
            (i32x4.dot_i16x8_s (i16x8.shr_s (local.get $x) (i32.const 8)) (local.get $part))))
          (local.set $x (v128.load (local.get $pair1)))
          (local.set $both1 (i32x4.add (local.get $both1) (i32x4.dot_i16x8_s (local.get $x) (local.get $part))))
          (local.set $second1 (i32x4.add (local.get $second1)
            (i32x4.dot_i16x8_s (i16x8.shr_s (local.get $x) (i32.const 8)) (local.get $part))))
          (local.set $x (v128.load (local.get $pair2)))
          (local.set $both2 (i32x4.add (local.get $both2) (i32x4.dot_i16x8_s (local.get $x) (local.get $part))))
          (local.set $second2 (i32x4.add (local.get $second2)
            (i32x4.dot_i16x8_s (i16x8.shr_s (local.get $x) (i32.const 8)) (local.get $part))))
          (local.set $x (v128.load (local.get $pair3)))
          (local.set $both3 (i32x4.add (local.get $both3) (i32x4.dot_i16x8_s (local.get $x) (local.get $part))))
          (local.set $second3 (i32x4.add (local.get $second3)
            (i32x4.dot_i16x8_s (i16x8.shr_s (local.get $x) (i32.const 8)) (local.get $part))))
          (local.set $pair0 (i32.add (local.get $pair0) (i32.const 16)))
          (local.set $pair1 (i32.add (local.get $pair1) (i32.const 16)))
          (local.set $pair2 (i32.add (local.get $pair2) (i32.const 16)))
          (local.set $pair3 (i32.add (local.get $pair3) (i32.const 16)))
          (br_if $column (i32.lt_u (local.tee $q (i32.add (local.get $q) (i32.const 16))) (local.get $qEnd))))
        (call $store
          (call $each (local.get $both0) (local.get $both1) (local.get $both2) (local.get $both3))
          (call $each (local.get $second0) (local.get $second1) (local.get $second2) (local.get $second3))
          (local.get $none)
          (i32.add (local.get $out) (i32.shl (local.get $at) (i32.const 3)))
          (i32.shl (local.get $turns) (i32.const 3)))
        (local.set $turn (i32.add (local.get $turn) (i32.const 1)))
        (br $next))))

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
      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $a) (local.get $c))))

  ;; The sum of a query's int16s in four lanes; each eight of them `step` bytes after the last.
  (func $total (param $query i32) (param $bytes i32) (param $step i32) (result v128)
    (local $sum v128)
    (loop $column
      (local.set $sum (i32x4.add (local.get $sum)
        (i32x4.dot_i16x8_s (v128.load (local.get $query)) (v128.const i16x8 1 1 1 1 1 1 1 1))))
      (local.set $query (i32.add (local.get $query) (local.get $step)))
      (br_if $column (local.tee $bytes (i32.sub (local.get $bytes) (i32.const 16)))))
    (local.get $sum))

  ;; Writes four products with a pair's first row, and with its second row beside them, `step` bytes after each other.
  (func $store (param $both v128) (param $second v128) (param $total v128) (param $out i32) (param $step i32)
    (local $x v128)
    (local.set $both (i32x4.sub
      (i32x4.sub (local.get $both) (i32x4.shl (local.get $second) (i32.const 8)))
      (i32x4.shl (local.get $total) (i32.const 7))))
    (local.set $x (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $both) (local.get $second)))
    (v128.store64_lane 0 (local.get $out) (local.get $x))
    (v128.store64_lane 1 (local.tee $out (i32.add (local.get $out) (local.get $step))) (local.get $x))
    (local.set $x (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $both) (local.get $second)))
    (v128.store64_lane 0 (local.tee $out (i32.add (local.get $out) (local.get $step))) (local.get $x))
    (v128.store64_lane 1 (i32.add (local.get $out) (local.get $step)) (local.get $x)))

  ;; `scan` for four queries, reading each pair once: out[q][r]. queries: eight places of each, then the next eight.
  (func (export "scan4") (param $pairs i32) (param $count i32) (param $width i32) (param $queries i32) (param $out i32)
    (local $end i32) (local $pairEnd i32) (local $q i32) (local $none v128)
    (local $x v128) (local $y v128) (local $part v128)
    (local $both0 v128) (local $both1 v128) (local $both2 v128) (local $both3 v128)
    (local $second0 v128) (local $second1 v128) (local $second2 v128) (local $second3 v128)
    (local.set $width (i32.shl (local.get $width) (i32.const 1)))
    (local.set $none (call $each
      (call $total (local.get $queries) (local.get $width) (i32.const 64))
      (call $total (i32.add (local.get $queries) (i32.const 16)) (local.get $width) (i32.const 64))
      (call $total (i32.add (local.get $queries) (i32.const 32)) (local.get $width) (i32.const 64))
      (call $total (i32.add (local.get $queries) (i32.const 48)) (local.get $width) (i32.const 64))))
    (local.set $end (i32.add (local.get $pairs) (i32.mul (local.get $count) (local.get $width))))
    (block $done
      (loop $pair
        (br_if $done (i32.ge_u (local.get $pairs) (local.get $end)))
        (local.set $pairEnd (i32.add (local.get $pairs) (local.get $width)))
        (local.set $q (local.get $queries))
        (local.set $both0 (v128.const i64x2 0 0))
        (local.set $both1 (v128.const i64x2 0 0))
        (local.set $both2 (v128.const i64x2 0 0))
        (local.set $both3 (v128.const i64x2 0 0))
        (local.set $second0 (v128.const i64x2 0 0))
        (local.set $second1 (v128.const i64x2 0 0))
        (local.set $second2 (v128.const i64x2 0 0))
        (local.set $second3 (v128.const i64x2 0 0))
        (loop $column
          (local.set $x (v128.load (local.get $pairs)))
          (local.set $y (i16x8.shr_s (local.get $x) (i32.const 8)))
          (local.set $part (v128.load (local.get $q)))
          (local.set $both0 (i32x4.add (local.get $both0) (i32x4.dot_i16x8_s (local.get $x) (local.get $part))))
          (local.set $second0 (i32x4.add (local.get $second0) (i32x4.dot_i16x8_s (local.get $y) (local.get $part))))
          (local.set $part (v128.load offset=16 (local.get $q)))
          (local.set $both1 (i32x4.add (local.get $both1) (i32x4.dot_i16x8_s (local.get $x) (local.get $part))))
          (local.set $second1 (i32x4.add (local.get $second1) (i32x4.dot_i16x8_s (local.get $y) (local.get $part))))
          (local.set $part (v128.load offset=32 (local.get $q)))
          (local.set $both2 (i32x4.add (local.get $both2) (i32x4.dot_i16x8_s (local.get $x) (local.get $part))))
          (local.set $second2 (i32x4.add (local.get $second2) (i32x4.dot_i16x8_s (local.get $y) (local.get $part))))
          (local.set $part (v128.load offset=48 (local.get $q)))
          (local.set $both3 (i32x4.add (local.get $both3) (i32x4.dot_i16x8_s (local.get $x) (local.get $part))))
          (local.set $second3 (i32x4.add (local.get $second3) (i32x4.dot_i16x8_s (local.get $y) (local.get $part))))
          (local.set $q (i32.add (local.get $q) (i32.const 64)))
          (br_if $column
            (i32.lt_u (local.tee $pairs (i32.add (local.get $pairs) (i32.const 16))) (local.get $pairEnd))))
        (call $store
          (call $each (local.get $both0) (local.get $both1) (local.get $both2) (local.get $both3))
          (call $each (local.get $second0) (local.get $second1) (local.get $second2) (local.get $second3))
          (local.get $none) (local.get $out) (i32.shl (local.get $count) (i32.const 3)))
        (local.set $out (i32.add (local.get $out) (i32.const 8)))
        (br $pair))))

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
        (br $group)))))
