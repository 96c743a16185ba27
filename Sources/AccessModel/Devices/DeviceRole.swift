/// What a device node is for.
public enum DeviceRole: String, Hashable, Sendable, Codable, CaseIterable {
  /// Delivers pictures: what a person calls a camera.
  case capture
  /// Takes pictures, such as a display output.
  case output
  /// Delivers data about pictures, beside a capture node.
  case metadata
  /// Converts memory to memory: a codec or a scaler.
  case memoryToMemory = "m2m"
  /// A raw node of a media controller pipeline, which only libcamera can use.
  case pipeline
  /// A radio tuner (`V4L2_CAP_RADIO` and its likes).
  case radio
  /// A touch sensor's raw pictures (`V4L2_CAP_TOUCH`).
  case touch
  /// Data between the lines of a television picture, such as teletext.
  case vbi
  /// A software-defined radio (`V4L2_CAP_SDR_CAPTURE`, `V4L2_CAP_SDR_OUTPUT`).
  case softwareRadio = "sdr"
  /// One part of a camera pipeline, such as a sensor or a lens (`/dev/v4l-subdev*`).
  case subdevice
  /// Delivers sound.
  case microphone
  /// Plays sound.
  case speaker
  /// A graphics processor without a display (`/dev/dri/renderD*`).
  case render
  /// None of the others, or nothing tells.
  case other
}
