import DevicePermissions
import LegoKit

/// Holds the camera until it is taken back, and prints how it stands with it.
struct Program {
  let output: (String) -> Void

  /// Runs it.
  ///
  /// - Returns: The exit status: 1 where the camera was refused.
  func run() async -> Int32 {
    let lego = Lego(.init(), feature: .holder)
    lego.build(.permission(.request(AccessRequest(.camera, timeout: .seconds(60)))))
    var status: Int32 = 0
    answers: for await camera in lego.observe(\.camera) {
      switch camera {
      case .asked: continue
      case .held(.device(let path), let method): output("holds \(path) (method: \(method))")
      case .held(_, let method): output("holds a connection to PipeWire (method: \(method))")
      case .refused(let reason):
        output("refused: \(reason)")
        status = 1
        break answers
      case .takenBack(let revocation):
        output("taken back: \(revocation)")
        break answers
      }
    }
    await lego.close()
    return status
  }
}
