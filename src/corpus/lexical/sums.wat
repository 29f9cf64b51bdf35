;; Sums of impacts by row, and their maxima by block (dense-sums.ts). Compiled to sums.wasm by scripts/kernels.mjs.
(module
  (import "kernel" "memory" (memory 1))

  ;; sums[rows[i]] += weight * impacts[i], rounded to float32 twice, for `count` postings of different rows.
  ;; sums, impacts: f32; rows: u32. Four steps a turn.
  (func (export "add") (param $sums i32) (param $rows i32) (param $impacts i32) (param $count i32) (param $weight f32)
    (local $end i32) (local $sum i32)
    (local.set $end (i32.add (local.get $rows) (i32.shl (i32.and (local.get $count) (i32.const -4)) (i32.const 2))))
    (block $fours
      (loop $four
        (br_if $fours (i32.ge_u (local.get $rows) (local.get $end)))
        (local.set $sum (i32.add (local.get $sums) (i32.shl (i32.load offset=0 (local.get $rows)) (i32.const 2))))
        (f32.store (local.get $sum) (f32.add (f32.load (local.get $sum))
          (f32.mul (local.get $weight) (f32.load offset=0 (local.get $impacts)))))
        (local.set $sum (i32.add (local.get $sums) (i32.shl (i32.load offset=4 (local.get $rows)) (i32.const 2))))
        (f32.store (local.get $sum) (f32.add (f32.load (local.get $sum))
          (f32.mul (local.get $weight) (f32.load offset=4 (local.get $impacts)))))
        (local.set $sum (i32.add (local.get $sums) (i32.shl (i32.load offset=8 (local.get $rows)) (i32.const 2))))
        (f32.store (local.get $sum) (f32.add (f32.load (local.get $sum))
          (f32.mul (local.get $weight) (f32.load offset=8 (local.get $impacts)))))
        (local.set $sum (i32.add (local.get $sums) (i32.shl (i32.load offset=12 (local.get $rows)) (i32.const 2))))
        (f32.store (local.get $sum) (f32.add (f32.load (local.get $sum))
          (f32.mul (local.get $weight) (f32.load offset=12 (local.get $impacts)))))
        (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
        (local.set $impacts (i32.add (local.get $impacts) (i32.const 16)))
        (br $four)))
    (local.set $end (i32.add (local.get $end) (i32.shl (i32.and (local.get $count) (i32.const 3)) (i32.const 2))))
    (block $done
      (loop $one
        (br_if $done (i32.ge_u (local.get $rows) (local.get $end)))
        (local.set $sum (i32.add (local.get $sums) (i32.shl (i32.load offset=0 (local.get $rows)) (i32.const 2))))
        (f32.store (local.get $sum) (f32.add (f32.load (local.get $sum))
          (f32.mul (local.get $weight) (f32.load offset=0 (local.get $impacts)))))
        (local.set $rows (i32.add (local.get $rows) (i32.const 4)))
        (local.set $impacts (i32.add (local.get $impacts) (i32.const 4)))
        (br $one))))

  ;; maxima[i] = the highest of sums[i * size] to sums[(i + 1) * size - 1], and of 0; for `blocks` blocks.
  ;; sums, maxima: f32; size: a multiple of 4, at least 4.
  (func (export "maxima") (param $sums i32) (param $size i32) (param $maxima i32) (param $blocks i32)
    (local $end i32) (local $blockEnd i32) (local $max v128)
    (local.set $size (i32.shl (local.get $size) (i32.const 2)))
    (local.set $end (i32.add (local.get $maxima) (i32.shl (local.get $blocks) (i32.const 2))))
    (block $done
      (loop $block
        (br_if $done (i32.ge_u (local.get $maxima) (local.get $end)))
        (local.set $blockEnd (i32.add (local.get $sums) (local.get $size)))
        (local.set $max (v128.const i64x2 0 0))
        (loop $four
          (local.set $max (f32x4.pmax (local.get $max) (v128.load (local.get $sums))))
          (local.set $sums (i32.add (local.get $sums) (i32.const 16)))
          (br_if $four (i32.lt_u (local.get $sums) (local.get $blockEnd))))
        (local.set $max (f32x4.pmax (local.get $max)
          (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $max) (local.get $max))))
        (f32.store (local.get $maxima)
          (f32.max (f32x4.extract_lane 0 (local.get $max)) (f32x4.extract_lane 1 (local.get $max))))
        (local.set $maxima (i32.add (local.get $maxima) (i32.const 4)))
        (br $block)))))
