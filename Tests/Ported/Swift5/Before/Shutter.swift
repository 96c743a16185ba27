import Dispatch
import LegoKit

// What stands before each difference on the page about Swift 6, as it is printed there.

public enum ShutterStatus: Equatable {
  case notDetermined
  case open
  case refused
}

public struct ShutterBlueprint: Blueprint {
  public static var brick: ShutterBlueprint = ShutterBlueprint()

  public struct Design: Equatable {
    public var status = ShutterStatus.notDetermined
  }

  public enum Change: Equatable {
    case requestAccess
    case access(ShutterStatus)
  }

  public func change(_ design: inout Design, on change: Change) {
    if case .access(let status) = change { design.status = status }
  }
}

struct ShutterService: Service {
  static var contractor: ShutterService = ShutterService(log: { _ in })

  var log: (String) -> Void

  func requestAccess() async -> ShutterStatus {
    await withCheckedContinuation { continuation in
      ask(completion: { status in continuation.resume(returning: status) })
    }
  }

  private func ask(completion: @escaping (ShutterStatus) -> Void) {
    log("asking")
    Shutter.requestAccess { granted in completion(granted ? .open : .refused) }
  }
}

enum Shutter {
  static func requestAccess(completionHandler: @escaping @Sendable (_ granted: Bool) -> Void) {
    DispatchQueue.global().async { completionHandler(true) }
  }
}

extension Contractors {
  var shutter: ShutterService {
    get { Self[ShutterService.Value.self] }
    set { Self[ShutterService.Value.self] = newValue }
  }
}

class ShutterAdaptor: Adaptor<ShutterBlueprint> {
  @Contractor(\.shutter) private var shutterService: ShutterService

  override func connect(
    _ design: ShutterBlueprint.Design, on change: ShutterBlueprint.Change
  ) -> AnyPublisher<ShutterBlueprint.Change, Never> {
    Future<ShutterBlueprint.Change, Never> { promise in
      switch change {
      case .requestAccess:
        Task {
          let status = await self.shutterService.requestAccess()
          promise(.success(.access(status)))
        }

      default:
        break
      }
    }
    .eraseToAnyPublisher()
  }
}

func stores() -> [Lego<ShutterBlueprint>] {
  let adaptor = ShutterAdaptor()
  return (0..<2).map { _ in
    Lego(.init(), blueprint: ShutterBlueprint(), adaptors: [adaptor])
  }
}

func label<Value>(
  _ title: String, _ value: KeyPath<ShutterBlueprint.Design, Value>,
  change: @escaping (Value) -> ShutterBlueprint.Change, of lego: Lego<ShutterBlueprint>
) -> String {
  "\(title): \(lego.glue(value, change: change).wrappedValue)"
}

class ShutterLog {
  static let shared = ShutterLog()

  private(set) var lines: [String] = []

  func append(_ line: String) { lines.append(line) }
}
