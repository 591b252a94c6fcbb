<?php
/**
 * A plugin with a namespace of its own, acme/v1: orders that are kept as records of a type of their own, and prices. It publishes everything
 * that it does, and enforces what it publishes. A file orders-changes.txt beside it names changes, one a line: that is what
 * an upgrade of it would have changed.
 */

/** Whether the plugin has changed in a way. */
function acme_changed( string $change ): bool {
	$file = __DIR__ . '/orders-changes.txt';
	return is_file( $file ) && in_array( $change, array_map( 'trim', file( $file ) ), true );
}

/** The order that a record holds; null for any other record. */
function acme_order( ?WP_Post $post ): ?array {
	if ( ! $post || 'acme_order' !== $post->post_type ) {
		return null;
	}
	return array( 'id' => $post->ID ) + json_decode( $post->post_content, true );
}

/** Keeps an order, as a new record unless it has a number. */
function acme_keep( array $order, int $id = 0 ): int {
	unset( $order['id'] );
	$content = wp_slash( wp_json_encode( $order ) );
	return wp_insert_post( array( 'ID' => $id, 'post_type' => 'acme_order', 'post_status' => 'private', 'post_content' => $content ) );
}

class Acme_Orders extends WP_REST_Controller {

	protected $namespace = 'acme/v1';
	protected $rest_base = 'orders';

	public function register_routes() {
		$batch = acme_changed( 'lost-batch-mark' ) ? array() : array( 'allow_batch' => array( 'v1' => true ) );
		register_rest_route(
			$this->namespace,
			'/orders',
			$batch + array(
				array(
					'methods'             => 'GET',
					'callback'            => array( $this, 'get_items' ),
					'permission_callback' => '__return_true',
					'args'                => $this->get_collection_params(),
				),
				array(
					'methods'             => 'POST',
					'callback'            => array( $this, 'create_item' ),
					'permission_callback' => array( $this, 'may_write' ),
					'args'                => $this->get_endpoint_args_for_item_schema( 'POST' ),
				),
				'schema' => array( $this, 'get_public_item_schema' ),
			)
		);
		$id    = array( 'id' => array( 'type' => 'integer', 'description' => 'The number of an order.' ) );
		$items = array(
			array(
				'methods'             => 'GET',
				'callback'            => array( $this, 'get_item' ),
				'permission_callback' => '__return_true',
				'args'                => $id + array( 'context' => $this->get_context_param( array( 'default' => 'view' ) ) ),
			),
			array(
				'methods'             => 'POST, PUT, PATCH',
				'callback'            => array( $this, 'update_item' ),
				'permission_callback' => array( $this, 'may_write' ),
				'args'                => $id + $this->get_endpoint_args_for_item_schema( 'PUT' ),
			),
		);
		if ( ! acme_changed( 'lost-method' ) ) {
			$items[] = array(
				'methods'             => 'DELETE',
				'callback'            => array( $this, 'delete_item' ),
				'permission_callback' => array( $this, 'may_write' ),
				'args'                => $id,
			);
		}
		register_rest_route(
			$this->namespace,
			'/orders/(?P<id>[\d]+)',
			$items + array( 'schema' => array( $this, 'get_public_item_schema' ) )
		);
		if ( ! acme_changed( 'lost-route' ) ) {
			register_rest_route(
				$this->namespace,
				'/prices',
				array(
					'methods'             => 'GET',
					'callback'            => fn( $request ) => array( 'currency' => $request['currency'], 'price' => 12.5 ),
					'permission_callback' => '__return_true',
					'args'                => array(
						'currency' => array( 'type' => 'string', 'enum' => array( 'EUR', 'USD' ), 'required' => true ),
					),
				)
			);
		}
	}

	public function get_collection_params() {
		$status = array(
			'type'    => 'string',
			'enum'    => acme_changed( 'narrower-enum' ) ? array( 'any', 'open' ) : array( 'any', 'open', 'paid' ),
			'default' => 'any',
		);
		if ( acme_changed( 'dropped-default' ) ) {
			unset( $status['default'] );
		}
		$least = array( 'type' => 'integer', 'minimum' => 0, 'maximum' => 1000 );
		if ( acme_changed( 'not-enforced' ) ) {
			$least += array( 'sanitize_callback' => 'absint', 'validate_callback' => '__return_true' );
		}
		if ( acme_changed( 'newly-required' ) ) {
			$least['required'] = true;
		}
		return array(
			'context'   => $this->get_context_param( array( 'default' => 'view' ) ),
			'page'      => array( 'type' => 'integer', 'default' => 1, 'minimum' => 1 ),
			'per_page'  => array( 'type' => 'integer', 'default' => 10, 'minimum' => 1, 'maximum' => 100 ),
			'include'   => array( 'type' => 'array', 'items' => array( 'type' => 'integer' ), 'default' => array() ),
			'min_total' => $least,
			'status'    => $status,
		);
	}

	public function get_item_schema() {
		$everywhere = array( 'view', 'edit', 'embed' );
		$customer   = acme_changed( 'lost-context' ) ? array( 'edit' ) : array( 'view', 'edit' );
		$properties = array(
			'id'       => array( 'type' => 'integer', 'context' => $everywhere, 'readonly' => true ),
			'customer' => array( 'type' => 'string', 'context' => $customer, 'required' => true ),
			'status'   => array( 'type' => 'string', 'enum' => array( 'open', 'paid' ), 'context' => $everywhere, 'default' => 'open' ),
			'weight'   => array( 'type' => acme_changed( 'other-type' ) ? 'string' : 'number', 'context' => $everywhere, 'readonly' => true ),
			'total'    => array( 'type' => 'number', 'minimum' => 0, 'context' => $everywhere ),
		);
		if ( acme_changed( 'removed-field' ) ) {
			unset( $properties['weight'] );
		}
		return array( 'title' => 'order', 'type' => 'object', 'properties' => $properties );
	}

	public function may_write() {
		return current_user_can( 'manage_options' );
	}

	public function get_items( $request ) {
		$orders = array_values(
			array_filter(
				$this->orders(),
				fn( $order ) => ( ! $request['include'] || in_array( $order['id'], $request['include'], true ) )
					&& in_array( $request['status'] ?? 'any', array( 'any', $order['status'] ), true )
					&& $order['total'] >= ( $request['min_total'] ?? 0 )
			)
		);
		$page  = array_slice( $orders, (int) min( ( $request['page'] - 1 ) * $request['per_page'], count( $orders ) ), $request['per_page'] );
		$shown = rest_ensure_response( array_map( fn( $order ) => $this->shown( $order, $request ), $page ) );
		$shown->header( 'X-WP-Total', count( $orders ) );
		$shown->header( 'X-WP-TotalPages', (int) ceil( count( $orders ) / $request['per_page'] ) );
		return $shown;
	}

	public function get_item( $request ) {
		$order = acme_order( get_post( $request['id'] ) );
		return $order ? $this->shown( $order, $request ) : $this->missing();
	}

	public function create_item( $request ) {
		$order              = acme_order( get_post( acme_keep( array( 'weight' => 1.5 ) + $this->given( $request ) + array( 'total' => 0 ) ) ) );
		$request['context'] = 'edit';
		return new WP_REST_Response( $this->shown( $order, $request ), 201 );
	}

	public function update_item( $request ) {
		$order = acme_order( get_post( $request['id'] ) );
		if ( ! $order ) {
			return $this->missing();
		}
		acme_keep( $this->given( $request ) + $order, $request['id'] );
		$request['context'] = 'edit';
		return $this->shown( acme_order( get_post( $request['id'] ) ), $request );
	}

	public function delete_item( $request ) {
		$order = acme_order( get_post( $request['id'] ) );
		if ( ! $order ) {
			return $this->missing();
		}
		wp_delete_post( $order['id'], true );
		return $order;
	}

	private function given( $request ): array {
		return array_filter(
			array(
				'customer' => $request['customer'],
				'status'   => $request['status'],
				'total'    => $request['total'],
			),
			fn( $value ) => null !== $value
		);
	}

	private function orders(): array {
		$posts = get_posts( array( 'post_type' => 'acme_order', 'post_status' => 'any', 'numberposts' => -1, 'orderby' => 'ID', 'order' => 'ASC' ) );
		return array_map( 'acme_order', $posts );
	}

	private function shown( array $order, $request ) {
		if ( acme_changed( 'other-type' ) ) {
			$order['weight'] = (string) $order['weight'];
		}
		if ( acme_changed( 'removed-field' ) ) {
			unset( $order['weight'] );
		}
		return $this->filter_response_by_context( $order, $request['context'] ?? 'view' );
	}

	private function missing() {
		return new WP_Error( 'rest_order_invalid_id', 'There is no such order.', array( 'status' => 404 ) );
	}
}

add_action(
	'init',
	function () {
		if ( ! add_option( 'acme_seeded', '1' ) ) {
			return;
		}
		foreach ( range( 1, 12 ) as $number ) {
			acme_keep(
				array(
					'customer' => "Customer $number",
					'status'   => 0 === $number % 3 ? 'open' : 'paid',
					'weight'   => $number / 2,
					'total'    => 10.5 * $number,
				)
			);
		}
	}
);
add_action( 'rest_api_init', fn() => ( new Acme_Orders() )->register_routes() );
