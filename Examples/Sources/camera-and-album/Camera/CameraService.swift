import DevicePermissions
import LegoKit

/// Takes pictures.
struct CameraService: Service {
  /// The camera at a device node, by V4L2.
  static let contractor = CameraService { node in
    let device = try await Contractors().devices.open(node, for: [.read, .write])
    return try await VideoStream(device).picture()
  }
  /// A test says what its camera gives.
  static let testContractor: CameraService? = nil

  /// Takes a picture with the camera at a path.
  var takePicture: @Sendable (_ node: String) async throws -> Picture
}

extension Contractors {
  /// Takes pictures.
  var camera: CameraService {
    get { Self[CameraService.Value.self] }
    set { Self[CameraService.Value.self] = newValue }
  }
}
