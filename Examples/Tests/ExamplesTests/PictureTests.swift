import Testing

@testable import camera_and_album

@Suite struct `A frame of a camera` {
  /// A frame of one colour in YUYV, with some bytes after each row.
  private static func frame(y: UInt8, u: UInt8, v: UInt8, padding: Int = 0) -> [UInt8] {
    (0..<4).flatMap { _ in
      (0..<3).flatMap { _ in [y, u, y, v] } + [UInt8](repeating: 0xEE, count: padding)
    }
  }

  private static func format(
    _ encoding: VideoFormat.Encoding, padding: Int = 0, isFullRange: Bool = false
  ) -> VideoFormat {
    VideoFormat(
      encoding: encoding, width: 6, height: 4,
      stride: 6 * (encoding == .rgb ? 3 : 2) + padding, isFullRange: isFullRange)
  }

  /// What the colours are by BT.601, within the errors of whole numbers.
  @Test(
    arguments: [
      (y: 16, u: 128, v: 128, full: false, rgb: (0, 0, 0)),
      (y: 235, u: 128, v: 128, full: false, rgb: (255, 255, 255)),
      (y: 81, u: 90, v: 240, full: false, rgb: (255, 0, 0)),
      (y: 145, u: 54, v: 34, full: false, rgb: (0, 255, 0)),
      (y: 41, u: 240, v: 110, full: false, rgb: (0, 0, 255)),
      (y: 0, u: 128, v: 128, full: true, rgb: (0, 0, 0)),
      (y: 255, u: 128, v: 128, full: true, rgb: (255, 255, 255)),
      (y: 76, u: 85, v: 255, full: true, rgb: (254, 0, 0)),
    ] as [(y: UInt8, u: UInt8, v: UInt8, full: Bool, rgb: (Int, Int, Int))])
  func `in YUYV has its colours`(
    _ sample: (y: UInt8, u: UInt8, v: UInt8, full: Bool, rgb: (Int, Int, Int))
  ) throws {
    for padding in [0, 8] {
      let picture = try Self.format(.yuyv, padding: padding, isFullRange: sample.full).picture(
        Self.frame(y: sample.y, u: sample.u, v: sample.v, padding: padding))
      #expect(picture.rgb.count == 6 * 4 * 3)
      let wanted = [sample.rgb.0, sample.rgb.1, sample.rgb.2]
      let difference = picture.rgb.enumerated().map { abs(Int($1) - wanted[$0 % 3]) }.max()
      #expect(difference.map { $0 <= 2 } == true, "\(picture.rgb.prefix(3))")
    }
  }

  @Test func `that is too short is refused`() {
    let frame = Self.frame(y: 16, u: 128, v: 128)
    #expect(throws: CameraError.self) { try Self.format(.yuyv).picture(Array(frame.dropLast())) }
    #expect(throws: CameraError.self) { try Self.format(.rgb).picture(frame) }
    #expect(throws: CameraError.self) { try Self.format(.mjpeg).picture([]) }
  }

  @Test func `in MJPEG may lack its Huffman tables`() throws {
    let rgb = (0..<6 * 4).flatMap { _ in [10, 200, 60] as [UInt8] }
    let jpeg = try Picture(width: 6, height: 4, rgb: rgb).jpeg()
    let bare = Self.withoutHuffmanTables(jpeg)
    #expect(bare.count < jpeg.count)
    let picture = try Self.format(.mjpeg).picture(bare)
    #expect((picture.width, picture.height) == (6, 4))
    #expect(abs(Int(picture.rgb[1]) - 200) < 8)
    // What is saved has them again.
    #expect(try picture.jpeg().count > bare.count)
    let other = VideoFormat(encoding: .mjpeg, width: 8, height: 4, stride: 0, isFullRange: true)
    #expect(throws: CameraError.notAPicture("6 × 4, not 8 × 4")) { try other.picture(bare) }
  }

  @Test func `in MJPEG that is damaged is refused`() throws {
    let jpeg = try Picture(
      width: 64, height: 64, rgb: (0..<64 * 64 * 3).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    ).jpeg()
    for count in [0, 1, 2, 20, jpeg.count / 2, jpeg.count - 2] {
      #expect(throws: CameraError.self) { try Picture(jpeg: Array(jpeg.prefix(count))) }
    }
  }

  /// Leaves the segments DHT out.
  private static func withoutHuffmanTables(_ jpeg: [UInt8]) -> [UInt8] {
    var result = Array(jpeg[..<2])
    var position = 2
    while position + 3 < jpeg.count, jpeg[position] == 0xFF, jpeg[position + 1] != 0xDA {
      let end = position + 2 + Int(jpeg[position + 2]) << 8 + Int(jpeg[position + 3])
      if jpeg[position + 1] != 0xC4 { result += jpeg[position..<end] }
      position = end
    }
    return result + jpeg[position...]
  }
}
