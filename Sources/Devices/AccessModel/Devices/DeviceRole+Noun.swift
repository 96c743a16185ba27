extension DeviceRole {
  /// A description of a node with this role, such as `a camera`.
  var noun: String {
    switch self {
    case .capture: "a camera"
    case .output: "an output"
    case .metadata: "a metadata node"
    case .memoryToMemory: "a codec or scaler"
    case .pipeline: "a raw node of a camera pipeline"
    case .radio: "a radio"
    case .touch: "a touch sensor"
    case .vbi: "a teletext (VBI) node"
    case .softwareRadio: "a software radio"
    case .subdevice: "a part of a camera pipeline"
    case .microphone: "a microphone"
    case .speaker: "a speaker"
    case .render: "a render node"
    case .other: "of no known role"
    }
  }
}
