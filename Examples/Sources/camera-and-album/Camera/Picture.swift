/// A picture: rows of red, green and blue, a byte each.
struct Picture: Equatable, Sendable {
  let width: Int
  let height: Int
  /// Three bytes a pixel.
  let rgb: [UInt8]

  /// Turns a row of YUYV into RGB, by the weights of BT.601.
  ///
  /// - Parameter isFullRange: Whether black is 0 and white is 255, rather than 16 and 235.
  /// - Returns: What turns a row.
  static func yuyv(isFullRange: Bool) -> ([UInt8]) -> [UInt8] {
    // In 1/65536, so that whole numbers suffice.
    let (offset, luma) = isFullRange ? (0, 65_536) : (16, 76_309)
    let chroma = isFullRange ? 65_536 : 74_610
    let weights = (r: 1.402, gu: 0.344_136, gv: 0.714_136, b: 1.772)
    func weight(_ value: Double) -> Int { Int(value * Double(chroma)) }
    let (red, greenU, greenV, blue) = (
      weight(weights.r), weight(weights.gu), weight(weights.gv), weight(weights.b)
    )
    return { row in
      var pixels: [UInt8] = []
      pixels.reserveCapacity(row.count / 2 * 3)
      for start in stride(from: 0, to: row.count - 3, by: 4) {
        let (u, v) = (Int(row[start + 1]) - 128, Int(row[start + 3]) - 128)
        for y in [row[start], row[start + 2]] {
          let light = (Int(y) - offset) * luma + 32_768
          pixels.append(clamped(light + red * v))
          pixels.append(clamped(light - greenU * u - greenV * v))
          pixels.append(clamped(light + blue * u))
        }
      }
      return pixels
    }
  }

  private static func clamped(_ value: Int) -> UInt8 { UInt8(min(max(value >> 16, 0), 255)) }
}
