public import LegoKit

extension Endpoints: Service {
  /// A client without a base, for endpoints that have their own.
  public static let contractor = Endpoints()
}

extension Contractors {
  /// The client that effects and adaptors call.
  ///
  /// A program sets it once, when it starts; a test puts one with stubs in its place. A program
  /// with several servers makes a service for each, as it would for any other.
  public var endpoints: Endpoints {
    get { Self[Endpoints.self] }
    set { Self[Endpoints.self] = newValue }
  }
}
