/// The capabilities of a video node, from the `device_caps` of `VIDIOC_QUERYCAP`.
///
/// The values are those of `linux/videodev2.h`, which this module cannot import.
struct VideoCapabilities: OptionSet, Hashable, Sendable {
  let rawValue: UInt32

  /// `V4L2_CAP_VIDEO_CAPTURE` and `V4L2_CAP_VIDEO_CAPTURE_MPLANE`.
  static let capture = VideoCapabilities(rawValue: 0x0000_1001)
  /// `V4L2_CAP_VIDEO_OUTPUT` and `V4L2_CAP_VIDEO_OUTPUT_MPLANE`.
  static let output = VideoCapabilities(rawValue: 0x0000_2002)
  /// `V4L2_CAP_VIDEO_OVERLAY` and `V4L2_CAP_VIDEO_OUTPUT_OVERLAY`.
  static let overlay = VideoCapabilities(rawValue: 0x0000_0204)
  /// `V4L2_CAP_VIDEO_M2M` and `V4L2_CAP_VIDEO_M2M_MPLANE`.
  static let memoryToMemory = VideoCapabilities(rawValue: 0x0000_C000)
  /// Raw and sliced `V4L2_CAP_VBI_CAPTURE` and `V4L2_CAP_VBI_OUTPUT`.
  static let vbi = VideoCapabilities(rawValue: 0x0000_00F0)
  /// `V4L2_CAP_RADIO`, `V4L2_CAP_RDS_CAPTURE`, `V4L2_CAP_RDS_OUTPUT` and `V4L2_CAP_MODULATOR`.
  static let radio = VideoCapabilities(rawValue: 0x000C_0900)
  /// `V4L2_CAP_SDR_CAPTURE` and `V4L2_CAP_SDR_OUTPUT`.
  static let softwareRadio = VideoCapabilities(rawValue: 0x0050_0000)
  /// `V4L2_CAP_META_CAPTURE` and `V4L2_CAP_META_OUTPUT`.
  static let metadata = VideoCapabilities(rawValue: 0x0880_0000)
  /// `V4L2_CAP_TOUCH`.
  static let touch = VideoCapabilities(rawValue: 0x1000_0000)
  /// `V4L2_CAP_IO_MC`: formats are set on a media controller's entities, not on this node.
  static let mediaController = VideoCapabilities(rawValue: 0x2000_0000)

  /// Returns whether at least one of the given bits is set.
  ///
  /// A capability has separate bits for single-plane and multi-plane formats.
  func containsAny(_ other: VideoCapabilities) -> Bool {
    !isDisjoint(with: other)
  }

  /// Returns the role of the node according to these bits only.
  ///
  /// An older codec driver reports capture and output instead of `M2M`. A loopback device also
  /// reports both, but is a camera for the programs that read from it.
  func role(isLoopback: Bool) -> DeviceRole {
    if containsAny(.memoryToMemory) { return .memoryToMemory }
    // The raw node of a touch sensor also reports capture.
    if containsAny(.touch) { return .touch }
    if containsAny(.mediaController) { return .pipeline }
    if containsAny(.capture) {
      return containsAny(.output) && !isLoopback ? .memoryToMemory : .capture
    }
    if containsAny(.output) { return .output }
    if containsAny(.metadata) { return .metadata }
    if containsAny(.vbi) { return .vbi }
    if containsAny(.softwareRadio) { return .softwareRadio }
    if containsAny(.radio) { return .radio }
    return containsAny(.overlay) ? .output : .other
  }
}
