/// The namespace of the types behind the operators.
public enum Publishers {}
