public import LegoKit

extension Contractors {
  /// Gives users access to devices, and takes it back.
  public var grants: GrantService {
    get { Self[GrantService.Value.self] }
    set { Self[GrantService.Value.self] = newValue }
  }
}
