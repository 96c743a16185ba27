import CCamera
import Glibc

/// Memory that a driver shares, for one picture.
@safe struct VideoBuffer {
  private let start: UnsafeMutableRawPointer
  private let length: Int

  /// Maps a part of a device.
  ///
  /// - Throws: ``CameraError/refused(_:_:)``.
  init(mapping length: Int, at offset: Int, of descriptor: Int32) throws(CameraError) {
    let start = unsafe mmap(
      nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, off_t(offset))
    guard let start = unsafe start, unsafe start != MAP_FAILED else {
      throw .refused("mmap", errno)
    }
    unsafe self.start = start
    self.length = length
  }

  /// The first bytes, as many as there are.
  func bytes(count: Int) -> [UInt8] {
    unsafe Array(UnsafeRawBufferPointer(start: start, count: min(max(count, 0), length)))
  }

  /// Gives the memory back; it must not be used afterwards.
  func unmap() {
    unsafe munmap(start, length)
  }

  /// How V4L2 names a buffer.
  @unsafe static func description(of index: Int) -> v4l2_buffer {
    var buffer = unsafe v4l2_buffer()
    unsafe buffer.index = UInt32(index)
    unsafe buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    unsafe buffer.memory = V4L2_MEMORY_MMAP.rawValue
    return unsafe buffer
  }
}
