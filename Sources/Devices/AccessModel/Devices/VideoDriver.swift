/// The class of a video driver, which applies to all of its nodes.
///
/// `ID_V4L_CAPABILITIES` does not distinguish a raw node of a camera pipeline from a webcam, but
/// the driver's name does.
enum VideoDriver: Hashable, Sendable {
  /// `uvcvideo`, which registers pairs of a capture node and a metadata node.
  case usbVideoClass
  /// The driver of virtual cameras, which other programs feed.
  case loopback
  /// A driver of codecs or scalers.
  case memoryToMemory
  /// A driver with raw nodes, which only a media controller program such as libcamera can use.
  case pipeline
  case unknown

  private static let memoryToMemoryNames = [
    "bcm2835-codec", "rpivid", "rpi-hevc-dec", "hantro", "rkvdec", "rockchip-rga", "cedrus",
    "coda", "s5p-mfc", "s5p-jpeg", "mtk-vcodec", "mtk-jpeg", "qcom-venus", "vicodec", "vim2m",
    "wave5", "meson-vdec", "allegro", "mxc-jpeg", "bdisp", "dw100", "sun8i-di", "sun8i-rotate",
  ]

  private static let pipelineNames = [
    "bcm2835-isp", "unicam", "bcm2835-unicam", "rp1-cfe", "pispbe", "pisp_be", "intel_ipu",
    "intel-ipu", "ipu3-cio2", "ipu3-imgu", "isys", "rkisp1", "rockchip-isp1", "rkcif",
    "qcom-camss", "omap3isp", "s5p-fimc", "exynos4-fimc", "mtk-cam", "mxc-isi", "imx7-csi",
    "imx-media", "c3-isp", "mali-c55", "vimc", "sun6i-csi", "sun6i-isp", "stm32-dcmipp",
    "starfive-camss", "rzg2l-cru",
  ]

  /// Creates the class of a device's driver, from its name or, without a driver, from the sysfs
  /// path.
  init(of device: DeviceFacts) {
    guard let name = device.driver else {
      // A virtual video device has no parent and therefore no driver link. Only the loopback driver
      // creates such devices.
      self = device.isBelow("/devices/virtual/video4linux/") ? .loopback : .unknown
      return
    }
    self.init(named: name)
  }

  /// Creates the class of the driver with the given name.
  init(named name: String) {
    if name == "uvcvideo" {
      self = .usbVideoClass
    } else if name.hasPrefix("v4l2loopback") || name == "v4l2 loopback" {
      self = .loopback
    } else if Self.memoryToMemoryNames.contains(where: name.hasPrefix) {
      self = .memoryToMemory
    } else if Self.pipelineNames.contains(where: name.hasPrefix) {
      self = .pipeline
    } else {
      self = .unknown
    }
  }
}

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

/// A range of v4l2loopback versions with the same behavior for the users of a virtual camera.
public enum LoopbackVersion: String, Hashable, Sendable, Codable, CaseIterable {
  /// Before version 0.13, any number of programs can view a camera.
  ///
  /// The camera reports that it is fed as long as any program has it open, even if no program feeds
  /// it any longer.
  case anyViewers = "0.12"
  /// In version 0.13, only one program can map the buffers for viewers.
  ///
  /// The camera still reports that it is fed after the feeding program has ended.
  case oneMapping = "0.13"
  /// Since version 0.14, only one program can view a camera, regardless of how it reads the
  /// pictures.
  ///
  /// The camera reports that it is fed only while a program feeds it, or if a control
  /// (`keep_format`) makes it do so.
  case oneViewer = "0.14"

  /// Creates the version of a module whose cameras have the attribute `state`, as all have since
  /// 0.13.
  ///
  /// - Parameter release: The release, such as `v0.15.0`; `nil` if the module does not report it,
  ///   as before 0.13.2.
  package init(withState release: String?) {
    let text = release?.drop { $0 == "v" } ?? ""
    let numbers = text.split(separator: ".").prefix(2).map { Int($0.prefix { $0.isNumber }) ?? 0 }
    guard numbers.count == 2 else {
      self = .oneMapping
      return
    }
    self = numbers[0] > 0 || numbers[1] >= 14 ? .oneViewer : .oneMapping
  }

  /// A Boolean value that indicates whether a camera stops reporting that it is fed when the
  /// feeding program ends.
  ///
  /// A control can keep the camera from doing so.
  var feedEndsWithFeeder: Bool { self == .oneViewer }
}
