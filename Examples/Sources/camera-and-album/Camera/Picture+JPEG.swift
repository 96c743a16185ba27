import CTurboJPEG

extension Picture {
  /// Reads a JPEG, such as a frame of MJPEG: the standard tables stand for those that it lacks.
  ///
  /// - Throws: ``CameraError/notAPicture(_:)`` for damaged data.
  init(jpeg: [UInt8]) throws(CameraError) {
    guard let decoder = unsafe tjInitDecompress() else { throw .notAPicture("no memory") }
    defer { unsafe tjDestroy(decoder) }
    var (width, height, sampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    let size = UInt(jpeg.count)
    guard
      unsafe tjDecompressHeader3(decoder, jpeg, size, &width, &height, &sampling, &colors) == 0,
      (1...8_192).contains(width), (1...8_192).contains(height)
    else { throw .notAPicture(unsafe String(cString: tjGetErrorStr2(decoder))) }
    var rgb = [UInt8](repeating: 0, count: Int(width) * Int(height) * 3)
    guard
      unsafe tjDecompress2(
        decoder, jpeg, size, &rgb, width, 0, height, Int32(TJPF_RGB.rawValue), TJFLAG_STOPONWARNING)
        == 0
    else { throw .notAPicture(unsafe String(cString: tjGetErrorStr2(decoder))) }
    self.init(width: Int(width), height: Int(height), rgb: rgb)
  }

  /// The picture as a JPEG file.
  ///
  /// - Throws: ``CameraError/notAPicture(_:)`` without memory.
  func jpeg() throws(CameraError) -> [UInt8] {
    guard let encoder = unsafe tjInitCompress() else { throw .notAPicture("no memory") }
    defer { unsafe tjDestroy(encoder) }
    var output: UnsafeMutablePointer<UInt8>? = nil
    var size: UInt = 0
    defer { unsafe tjFree(output) }
    guard
      unsafe tjCompress2(
        encoder, rgb, Int32(width), 0, Int32(height), Int32(TJPF_RGB.rawValue), &output, &size,
        Int32(TJSAMP_422.rawValue), 92, 0) == 0
    else { throw .notAPicture(unsafe String(cString: tjGetErrorStr2(encoder))) }
    return unsafe Array(UnsafeBufferPointer(start: output, count: Int(size)))
  }
}
