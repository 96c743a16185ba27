public import LegoKit

extension Contractors {
  /// The service that gives users access to devices, and revokes it.
  public var grants: GrantService {
    get { Self[GrantService.Value.self] }
    set { Self[GrantService.Value.self] = newValue }
  }
}
