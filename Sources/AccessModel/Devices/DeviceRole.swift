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
  /// A raw node of a media controller pipeline, of use to libcamera alone.
  case pipeline
  case radio
  case touch
  case vbi
  case softwareRadio = "sdr"
  case subdevice
  /// Delivers sound.
  case microphone
  /// Plays sound.
  case speaker
  case render
  case other
}
