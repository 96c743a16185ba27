import CCamera

/// How a camera delivers its pictures.
struct VideoFormat: Equatable, Sendable {
  /// How a pixel is stored.
  enum Encoding: CaseIterable {
    /// Two pixels in four bytes, which share their colour; what every webcam has.
    case yuyv
    case rgb
    /// A JPEG, often without its Huffman tables.
    case mjpeg

    /// The code of V4L2.
    var code: UInt32 {
      switch self {
      case .yuyv: ccamera_yuyv
      case .rgb: ccamera_rgb
      case .mjpeg: ccamera_mjpeg
      }
    }
  }

  var encoding: Encoding
  var width: Int
  var height: Int
  /// The bytes from one row to the next; 0 for an encoding without rows.
  var stride: Int
  /// Whether black is 0 and white is 255, rather than 16 and 235.
  var isFullRange: Bool

  /// The picture that a frame holds.
  ///
  /// - Throws: ``CameraError/notAPicture(_:)`` for a frame that is too short or damaged.
  func picture(_ frame: [UInt8]) throws(CameraError) -> Picture {
    switch encoding {
    case .mjpeg:
      let picture = try Picture(jpeg: frame)
      guard (picture.width, picture.height) == (width, height) else {
        throw .notAPicture("\(picture.width) × \(picture.height), not \(width) × \(height)")
      }
      return picture
    case .yuyv: return try picture(frame, bytesPerPixel: 2, Picture.yuyv(isFullRange: isFullRange))
    case .rgb: return try picture(frame, bytesPerPixel: 3) { $0 }
    }
  }

  /// The picture of rows that each become rows of RGB.
  private func picture(
    _ frame: [UInt8], bytesPerPixel: Int, _ row: ([UInt8]) -> [UInt8]
  ) throws(CameraError) -> Picture {
    let length = width * bytesPerPixel
    guard width > 0, height > 0, stride >= length, frame.count >= stride * (height - 1) + length
    else { throw .notAPicture("\(frame.count) bytes for \(width) × \(height)") }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * 3)
    for index in 0..<height {
      bytes += row(Array(frame[index * stride..<index * stride + length]))
    }
    return Picture(width: width, height: height, rgb: bytes)
  }
}
