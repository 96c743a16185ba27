/// The purpose of a device node.
public enum DeviceRole: String, Hashable, Sendable, Codable, CaseIterable {
  /// Delivers pictures, as a camera does.
  case capture
  /// Accepts pictures, as a display output does.
  case output
  /// Delivers data about the pictures of a capture node.
  case metadata
  /// Converts data from memory to memory, as a codec or a scaler does.
  case memoryToMemory = "m2m"
  /// A raw node of a media controller pipeline, which only libcamera can use.
  case pipeline
  /// A radio tuner (`V4L2_CAP_RADIO` and related capabilities).
  case radio
  /// The raw pictures of a touch sensor (`V4L2_CAP_TOUCH`).
  case touch
  /// Data between the lines of a television picture, such as teletext.
  case vbi
  /// A software-defined radio (`V4L2_CAP_SDR_CAPTURE`, `V4L2_CAP_SDR_OUTPUT`).
  case softwareRadio = "sdr"
  /// A part of a camera pipeline, such as a sensor or a lens (`/dev/v4l-subdev*`).
  case subdevice
  /// Delivers sound.
  case microphone
  /// Plays sound.
  case speaker
  /// A graphics processor without a display (`/dev/dri/renderD*`).
  case render
  /// Any other role, or an unknown one.
  case other
}
