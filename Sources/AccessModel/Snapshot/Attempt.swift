/// What came of really using an object, on somebody's explicit request.
///
/// It is the only evidence of what acts when a device is opened: AppArmor, Landlock, a driver
/// that is gone, another program that streams.
public struct Attempt: Hashable, Sendable, Codable {
  /// How far the program went.
  public enum Operation: String, Hashable, Sendable, Codable {
    /// open(2).
    case open
    /// Starting the stream of an opened device (`VIDIOC_STREAMON` and its likes).
    case stream
  }

  public var path: String
  public var operation: Operation
  /// 0 when it worked, else the error number.
  public var errno: Int32

  public init(path: String, operation: Operation = .open, errno: Int32) {
    self.path = path
    self.operation = operation
    self.errno = errno
  }
}
