/// The services in force at this point.
///
/// Extend it with one property for each service:
///
/// ```swift
/// extension Contractors {
///   var permissions: PermissionsService {
///     get { Self[PermissionsService.Value.self] }
///     set { Self[PermissionsService.Value.self] = newValue }
///   }
/// }
/// ```
public struct Contractors: Sendable {
  /// Creates a view of the services in force.
  @inlinable public init() {}

  /// The service in force: the task's override, else the process-wide one, else its own default.
  ///
  /// Setting replaces the service for the whole process, save for the tasks that override it; a
  /// second replacement takes the place of the first.
  public static subscript<S: Service>(key: S.Type) -> S.Value {
    @inlinable get { Injection.contractor(key) }
    set { Injection.setContractor(newValue, for: key) }
  }
}
